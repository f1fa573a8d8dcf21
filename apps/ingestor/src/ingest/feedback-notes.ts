import { Inject, Injectable } from '@nestjs/common';
import type { Connector } from '@passerelle/connectors';
import { type ClaimedRun, type IngestGateway, SourceFeedback } from '@passerelle/database';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { SourceSecrets } from './source-secrets';

/** Notes what a run has changed, for sources that want to be told. Nothing of it concerns the run. */
@Injectable()
export class FeedbackNotes {
  constructor(
    private readonly feedback: SourceFeedback,
    private readonly secrets: SourceSecrets,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * After a run that has published or found nothing new. What fails is noted by the next run.
   *
   * @param hasRead its source: else nothing is known of what it would have rejected
   */
  async note(
    { id: runId, dryRun }: Pick<ClaimedRun, 'id' | 'dryRun'>,
    gateway: IngestGateway,
    { feedback }: Pick<Connector, 'feedback'>,
    hasRead: boolean,
  ): Promise<void> {
    if (feedback === undefined || dryRun) return;
    try {
      if (feedback.isWanted(this.secrets.open(gateway))) await this.feedback.note(gateway.id, hasRead ? runId : null);
      else await this.feedback.forget(gateway.id);
    } catch (error) {
      this.log.warn({ err: error, gateway: gateway.id, run: runId }, 'what the source is to be told was not noted');
    }
  }
}
