/** How a webhook proves that the CRM sent it, in addition to the secret in its address. */
export type WebhookProof =
  | { kind: 'path' }
  /** HTTP Basic; the secret of the address is `name:password`. */
  | { kind: 'basic' }
  /** An HMAC over the bytes of the body. */
  | {
      kind: 'hmac';
      /** In lower case. */
      header: string;
      hash: 'sha256' | 'sha1';
      encoding: 'hex' | 'base64';
      /** A prefix of the digest, such as `sha256=`. */
      prefix?: string;
    };

/** How a CRM sends webhooks: plain data, so that the API can read it from the connector table. Paths are dotted. */
export interface InboundWebhookRules {
  proof: WebhookProof;
  /** The path in the body to the name of the event. */
  event?: string;
  /** Prefixes of events about listings; other events are accepted and ignored. If absent, all events count. */
  about?: readonly string[];
  /** Names of events that request a complete reading. */
  everything?: readonly string[];
  /** Paths in the body to identifiers of listings, one value or a list. The first path with a value counts. */
  ids: readonly string[];
}

/** The meaning of a call. */
export type InboundWebhook =
  | { kind: 'listings'; ids: string[] }
  | { kind: 'everything' }
  /** The event is not about listings. */
  | { kind: 'nothing' };

/** A webhook that names more listings requests a complete reading. */
export const MAX_NOTIFIED_IDS = 500;
const MOST_ID_CHARACTERS = 200;
const NO_ID = /[\u0000-\u001f\u007f-\u009f]/;

/** An unclear webhook requests a complete reading, because a reading costs little. @param body undefined if not JSON */
export function parseInboundWebhook(rules: InboundWebhookRules, body: unknown): InboundWebhook {
  const event = rules.event === undefined ? undefined : at(body, rules.event);
  if (typeof event === 'string') {
    if (rules.everything?.includes(event) === true) return { kind: 'everything' };
    if (rules.about?.some((beginning) => event.startsWith(beginning)) === false) return { kind: 'nothing' };
  }
  for (const path of rules.ids) {
    const found = at(body, path);
    if (found === undefined || found === null) continue;
    const all = Array.isArray(found) ? (found as unknown[]) : [found];
    const ids = [...new Set(all.map(idOf))];
    const isUsable = ids.length > 0 && ids.length <= MAX_NOTIFIED_IDS && !ids.includes(undefined);
    return isUsable ? { kind: 'listings', ids: ids as string[] } : { kind: 'everything' };
  }
  return { kind: 'everything' };
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? (found as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const id = value.trim();
  return id !== '' && id.length <= MOST_ID_CHARACTERS && !NO_ID.test(id) ? id : undefined;
}
