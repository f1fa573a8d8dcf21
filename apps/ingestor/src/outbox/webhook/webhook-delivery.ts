import { type OutboundPosts, type PostAnswer, PostFailed } from '@passerelle/connectors';
import type { ClaimedDelivery, WebhookTarget, WebhookTargets } from '@passerelle/database';
import { type SecretBox, signWebhook, WEBHOOK_DUE_CHANNEL, WEBHOOK_PAUSES_MS } from '@passerelle/domain';
import type { Logger } from 'pino';
import { defineDelivery, type Delivery, DeliveryFailed, type Sent } from '../define-delivery';
import type { WebhookTries } from './webhook-tries';

/** For one request, including its response. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
export const SHOWN_CHARACTERS = 300;
const GONE_STATUS = 410;
const TEST = 'webhook.test';

interface WebhookDependencies {
  targets: WebhookTargets;
  tries: WebhookTries;
  posts: OutboundPosts;
  box: SecretBox | null;
  snapshotTtlSeconds: number;
  log: Logger;
}

/** Messages to sites, signed according to Standard Webhooks. */
export function webhookDelivery({
  targets,
  tries,
  posts,
  box,
  snapshotTtlSeconds,
  log,
}: WebhookDependencies): Delivery {
  return defineDelivery({
    kind: 'webhook',
    orderKey: 'endpoint',
    tries: WEBHOOK_PAUSES_MS.length + 1,
    pausesMs: WEBHOOK_PAUSES_MS,
    timeoutMs: WEBHOOK_TIMEOUT_MS + 5_000,
    // A waiting request costs a connection and little else.
    atOnce: 1_000,
    retriedAtOnce: 50,
    channel: WEBHOOK_DUE_CHANNEL,
    urgent: [TEST],
    latestOnly: ['list.published'],

    async send(delivery, signal): Promise<Sent> {
      const target = await targets.find(endpointOf(delivery));
      if (target === null) throw new DeliveryFailed('the webhook was removed');
      const failures = target.failures + 1;
      const startedMs = performance.now();
      const answer = await post(delivery, target, signal).catch((error: unknown) => {
        if (error instanceof DeliveryFailed) throw error;
        if (!(error instanceof PostFailed)) throw error;
        return error;
      });
      const ms = performance.now() - startedMs;
      const error = answer instanceof PostFailed ? answer.message : problemOf(answer);
      tries.count(delivery.type, error === null, ms, Date.now() - Date.parse(delivery.at));
      if (answer instanceof PostFailed) throw new DeliveryFailed(answer.message, { ms, failures });
      const result = { status: answer.status, ms, answer: answer.text };
      if (error === null) {
        if (target.failures > 0 || target.isDisabled) await targets.noteWell(endpointOf(delivery));
        return result;
      }
      throw new DeliveryFailed(error, { ...result, askedMs: answer.retryAfterMs, failures });
    },

    async afterFailure(delivery, { status, isOurs = false }, pauseMs) {
      const isTest = delivery.type === TEST;
      const terms = { pauseMs, isGone: status === GONE_STATUS, isOurs, isTest };
      const isDisabled = await targets.noteFailing(endpointOf(delivery), delivery.id, terms);
      if (isDisabled) log.warn({ endpoint: delivery.endpointId, status }, 'a webhook endpoint is disabled');
      return isDisabled || isTest;
    },

    upkeep: () => targets.enqueueStaleEvents(snapshotTtlSeconds),
  });

  async function post(
    { messageId, type, at, data }: ClaimedDelivery,
    { url, secret, oldSecret }: WebhookTarget,
    signal: AbortSignal,
  ): Promise<PostAnswer> {
    const body = JSON.stringify({ type, timestamp: at, data });
    const secrets = [secret, oldSecret].filter((sealed) => sealed !== null).map(opened);
    const signed = signWebhook(secrets, { id: messageId, atMs: Date.now(), body });
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      ...{ 'user-agent': 'Passerelle', accept: '*/*', ...signed },
    };
    return posts.post(url, headers, body, signal);
  }

  /** A message is never sent without a signature. */
  function opened(sealed: Buffer): string {
    if (box === null)
      throw new DeliveryFailed('not sent: this ingestor has no SECRETS_KEY to sign with', { isOurs: true });
    try {
      return box.open(sealed);
    } catch (cause) {
      throw new DeliveryFailed('not sent: its secret was sealed with another SECRETS_KEY', { isOurs: true }, { cause });
    }
  }
}

function endpointOf({ endpointId }: ClaimedDelivery): number {
  return endpointId ?? 0;
}

function problemOf({ status }: PostAnswer): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
}
