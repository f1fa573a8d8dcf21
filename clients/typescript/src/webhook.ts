import { createHmac, timingSafeEqual } from 'node:crypto';

/** A verified message of the gateway. It only signals that something happened: the client then requests the changes. */
export interface WebhookMessage {
  /**
   * `list.published`, `feed.stale`, `feed.held`, `feed.failing`, `feed.recovered` or `webhook.test`; more may be added.
   */
  type: string;
  /** ISO 8601: when the event happened. */
  timestamp: string;
  data: Record<string, unknown>;
}

/** A message that is not from the gateway, or is too old. Do not trust any of it. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

/** Refuses messages with a larger difference to this machine's clock, because they may be replays. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

/**
 * Verifies a message by Standard Webhooks and returns it.
 *
 * @param body as received, byte for byte.
 * @param headers of Node's `request.headers`, or of `Request`.
 * @param secret `whsec_…`, as the gateway showed it once.
 * @throws WebhookRefused
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secret: string,
  nowMs = Date.now(),
): WebhookMessage {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (key.length === 0) throw new TypeError('the secret of a webhook is empty');
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookRefused('the message lacks a header of Standard Webhooks');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('the time of the message cannot be read');
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new WebhookRefused('the message is too old, or the clock of this machine is wrong');
  }
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const isSigned = signatures.split(' ').some((one) => {
    const given = Buffer.from(one.startsWith('v1,') ? one.slice(3) : '', 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) throw new WebhookRefused('the signature of the message is wrong');
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) as WebhookMessage;
}

function headerOf(headers: Headers, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.[0];
}
