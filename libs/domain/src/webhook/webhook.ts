import { isUrl } from '../text/url';

/** What a site may be told of, beside `webhook.test`, which operators send. */
export const WEBHOOK_EVENTS = ['list.published', 'feed.stale', 'feed.held', 'feed.failing', 'feed.recovered'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** How a gateway's feed fares, as far as sites are told; null when all is well. */
export type ToldState = 'stale' | 'held' | 'failing' | null;

/** Endpoints that a gateway may have. */
export const MOST_WEBHOOKS = 5;
export const MAX_WEBHOOK_URL_CHARACTERS = 2_000;

/** PostgreSQL channel that says "something is to be sent to an endpoint"; without a payload. */
export const WEBHOOK_DUE_CHANNEL = 'passerelle_webhook_due';

/** What an endpoint's address must be, to follow "must be". */
export const WEBHOOK_URL_IN_WORDS = `an absolute https URL of at most ${MAX_WEBHOOK_URL_CHARACTERS} characters without a name, a password or a fragment`;

/**
 * The address of an endpoint in its canonical form; null when it may be none. Where it leads is looked at with every request.
 *
 * @param allowPrivate `host:port` pairs that may be private addresses, and for which http will do.
 */
export function toWebhookUrl(text: string, allowPrivate: ReadonlySet<string>): string | null {
  if (text.length > MAX_WEBHOOK_URL_CHARACTERS || !isUrl(text)) return null;
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && allowPrivate.has(hostAndPort(url)));
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isSafe && isPlain && url.href.length <= MAX_WEBHOOK_URL_CHARACTERS ? url.href : null;
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port !== '' ? port : protocol === 'https:' ? '443' : '80'}`;
}
