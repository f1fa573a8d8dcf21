import { Inject, Injectable } from '@nestjs/common';
import {
  admissionOf,
  type ConnectorRegistry,
  type FeedbackVerb,
  OutboundPosts,
  PostFailed,
  type Quota,
  type SourceConfig,
} from '@passerelle/connectors';
import { HostBudgets, SourceFeedback, type TakenFeedback, type WaitingFeedback } from '@passerelle/database';
import {
  AccessRefused,
  BadFeed,
  FeedError,
  parseGatewaySettings,
  pauseBeforeLeadMs,
  RetryLater,
} from '@passerelle/domain';
import type { Logger } from 'pino';
import { SourceSecrets } from '../ingest/source-secrets';
import { LEAD_POSTS, LOGGER, REGISTRY } from '../tokens';

/** Longer than a request takes, with all its time limits. */
const LEASE_SECONDS = 120;
/** A source that asks for a longer pause is asked again the next day all the same. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

/** Tells a source, request by request. */
type Telling = (told: readonly WaitingFeedback[]) => Promise<'taken' | 'unknown'>;

/** Tells sources what became of their listings. */
@Injectable()
export class FeedbackSender {
  constructor(
    private readonly feedback: SourceFeedback,
    private readonly budgets: HostBudgets,
    private readonly secrets: SourceSecrets,
    @Inject(LEAD_POSTS) private readonly posts: OutboundPosts,
    @Inject(REGISTRY) private readonly registry: ConnectorRegistry,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Takes what is due, and tells it. @returns whether more may be */
  async tellSome(limit: number, shutdown: AbortSignal): Promise<boolean> {
    const taken = await this.feedback.take({ limit, seconds: LEASE_SECONDS });
    await Promise.all(taken.map((one) => this.tell(one, shutdown)));
    return taken.length === limit;
  }

  /** Tells the source of one gateway all that waits, and notes what came of it. */
  private async tell(taken: TakenFeedback, shutdown: AbortSignal): Promise<void> {
    const { gatewayId, crm, client, tries } = taken;
    try {
      const { feedback: verb, quota } = this.registry.get(crm) ?? {};
      const source = this.secrets.open(taken);
      if (verb?.isWanted(source) !== true) {
        await this.feedback.forget(gatewayId);
        return;
      }
      const telling = this.tellingOf(verb, quota, source, shutdown);
      for (;;) {
        const waiting = await this.feedback.waiting(gatewayId, verb.mostAtOnce);
        if (waiting.length === 0) break;
        await this.tellAll(waiting, telling, taken);
        if (!(await this.feedback.noteTold(taken, waiting, LEASE_SECONDS))) return;
      }
      await this.feedback.finish(taken);
    } catch (error) {
      // What was under way at the end of the process is told by another one, after the lease.
      if (shutdown.aborted) return;
      const isExpected = error instanceof FeedError || error instanceof PostFailed;
      if (!isExpected) this.log.error({ err: error, crm, client }, 'a source could not be told');
      else this.log.warn({ crm, client, reason: error.message }, 'what a source is to be told waits');
      const sentence = isExpected ? error.message : 'it could not be told: the log of the ingestor says why';
      const asked = error instanceof RetryLater ? Math.min(error.retryAfterMs ?? 0, LONGEST_ASKED_MS) : 0;
      await this.feedback.noteFailed(taken, sentence, Math.max(asked, pauseBeforeLeadMs(tries + 1)));
    }
  }

  /** A listing that the source does not know is told of no more; those beside it are. */
  private async tellAll(waiting: readonly WaitingFeedback[], telling: Telling, taken: TakenFeedback): Promise<void> {
    if ((await telling(waiting)) === 'taken') return;
    if (waiting.length === 1) {
      const { crm, client } = taken;
      this.log.info({ crm, client, listing: waiting[0]?.affId }, 'the source does not know this listing any more');
      return;
    }
    const half = Math.ceil(waiting.length / 2);
    await this.tellAll(waiting.slice(0, half), telling, taken);
    await this.tellAll(waiting.slice(half), telling, taken);
  }

  private tellingOf(
    verb: FeedbackVerb,
    quota: Quota | undefined,
    source: SourceConfig,
    shutdown: AbortSignal,
  ): Telling {
    const admit = admissionOf(this.budgets, { settings: parseGatewaySettings(source.settings), quota, source });
    return async (told) => {
      const listings = told.map(({ affId, status, reason }) => ({ affId, status, ...(reason !== null && { reason }) }));
      const { url, headers = {}, body = '' } = verb.request(listings, source);
      const leave = await admit(new URL(url).hostname, shutdown);
      try {
        const length = { 'content-length': String(Buffer.byteLength(body)) };
        const { status, text, retryAfterMs } = await this.posts.post(url, { ...headers, ...length }, body, shutdown);
        if (status === 401 || status === 403) throw new AccessRefused(`the API of the CRM answered ${status}`);
        if (status === 429 || status >= 500)
          throw new RetryLater(`the API of the CRM answered ${status}`, retryAfterMs ?? undefined);
        if (status < 200 || status >= 300) throw new BadFeed(`the API of the CRM answered ${status}`);
        return verb.confirm(Buffer.from(text));
      } finally {
        leave?.();
      }
    };
  }
}
