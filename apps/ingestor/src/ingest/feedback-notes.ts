import { Inject, Injectable } from '@nestjs/common';
import type { Connector } from '@passerelle/connectors';
import { type ClaimedRun, type Gateway, SourceFeedback } from '@passerelle/database';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { SourceSecrets } from './source-secrets';

/** Notes the changes of a run for sources that want feedback. Failures here do not affect the run. */
@Injectable()
export class FeedbackNotes {
  constructor(
    private readonly feedback: SourceFeedback,
    private readonly secrets: SourceSecrets,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** If this fails, the next run stores the notes about the changes. @param hasRead if false, the run's rejections are unknown */
  async note(
    { id: runId, dryRun }: Pick<ClaimedRun, 'id' | 'dryRun'>,
    gateway: Gateway,
    { feedback }: Pick<Connector, 'feedback'>,
    hasRead: boolean,
  ): Promise<void> {
    if (feedback === undefined || dryRun) return;
    try {
      if (feedback.isWanted(this.secrets.open(gateway))) await this.feedback.note(gateway.id, hasRead ? runId : null);
      else await this.feedback.forget(gateway.id);
    } catch (error) {
      this.log.warn({ err: error, gateway: gateway.id, run: runId }, 'the feedback for the source was not stored');
    }
  }
}
