import {
  admissionOf,
  type ConnectorRegistry,
  type FeedbackVerb,
  type OutboundPosts,
  type Quota,
  type SourceConfig,
} from '@passerelle/connectors';
import type { HostBudgets, SourceFeedback, WaitingFeedback } from '@passerelle/database';
import { AccessRefused, BadFeed, ENDLESS_PAUSES_MS, parseGatewaySettings, RetryLater } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { SourceSecrets } from '../../ingest/source-secrets';
import { defineDelivery, type Delivery } from '../define-delivery';

type FeedbackRequest = (listed: readonly WaitingFeedback[]) => Promise<'taken' | 'unknown'>;

interface FeedbackDependencies {
  feedback: SourceFeedback;
  budgets: HostBudgets;
  secrets: SourceSecrets;
  posts: OutboundPosts;
  registry: ConnectorRegistry;
  log: Logger;
}

/** Sends results of listings to sources that want feedback. One delivery covers all changed listings of a gateway. */
export function feedbackDelivery({ feedback, budgets, secrets, posts, registry, log }: FeedbackDependencies): Delivery {
  return defineDelivery({
    kind: 'feedback',
    orderKey: 'gateway',
    pausesMs: ENDLESS_PAUSES_MS,
    timeoutMs: 120_000,
    atOnce: 10,
    retriedAtOnce: 10,
    needsEnabledGateway: true,

    async send(delivery, signal) {
      const { gatewayId, crm, client } = delivery;
      const { feedback: verb, quota } = registry.get(crm) ?? {};
      const source = secrets.open(delivery);
      if (verb?.isWanted(source) !== true) {
        await feedback.forget(gatewayId);
        return {};
      }
      const waiting = await feedback.waiting(gatewayId, verb.mostAtOnce);
      if (waiting.length === 0) return {};
      await sendAll(waiting, requestOf(verb, quota, source, signal), { crm, client });
      await feedback.markSent(gatewayId, waiting);
      return { isPartial: true };
    },

    afterSuccess: ({ gatewayId }) => feedback.wake(gatewayId),
  });

  /** From then on skips a listing that the source does not know, and sends the other listings. */
  async function sendAll(
    waiting: readonly WaitingFeedback[],
    send: FeedbackRequest,
    names: { crm: string; client: string },
  ): Promise<void> {
    if ((await send(waiting)) === 'taken') return;
    if (waiting.length === 1) {
      log.info({ ...names, listing: waiting[0]?.affId }, 'the source does not know this listing any more');
      return;
    }
    const half = Math.ceil(waiting.length / 2);
    await sendAll(waiting.slice(0, half), send, names);
    await sendAll(waiting.slice(half), send, names);
  }

  function requestOf(
    verb: FeedbackVerb,
    quota: Quota | undefined,
    source: SourceConfig,
    signal: AbortSignal,
  ): FeedbackRequest {
    const admit = admissionOf(budgets, { settings: parseGatewaySettings(source.settings), quota, source });
    return async (listed) => {
      const listings = listed.map(({ affId, status, reason }) => ({
        affId,
        status,
        ...(reason !== null && { reason }),
      }));
      const { url, headers = {}, body = '' } = verb.request(listings, source);
      const leave = await admit(new URL(url).hostname, signal);
      try {
        const length = { 'content-length': String(Buffer.byteLength(body)) };
        const { status, text, retryAfterMs } = await posts.post(url, { ...headers, ...length }, body, signal);
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
