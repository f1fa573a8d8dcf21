import { isUrl } from '../text/url';

/** Events about a list and its feed: those that a webhook gets when it names none. */
export const LIST_EVENTS = ['list.published', 'feed.stale', 'feed.held', 'feed.failing', 'feed.recovered'] as const;
/** The events that a site can subscribe to, in addition to `webhook.test`, which operators send. */
export const WEBHOOK_EVENTS = [...LIST_EVENTS, 'publication.online', 'publication.refused'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The state of a gateway's feed, as shown to sites; null when all is well. */
export type NotifiedState = 'stale' | 'held' | 'failing' | null;

export const MOST_WEBHOOKS = 5;
export const MAX_WEBHOOK_URL_CHARACTERS = 2_000;

/** PostgreSQL channel that announces a pending message for an endpoint; without a payload. */
export const WEBHOOK_DUE_CHANNEL = 'passerelle_webhook_due';

/** Continues the sentence "the address must be". */
export const WEBHOOK_URL_IN_WORDS = `an absolute https URL of at most ${MAX_WEBHOOK_URL_CHARACTERS} characters without a name, a password or a fragment`;

/** Null for an invalid address. @param allowPrivate `host:port` pairs that may be private, and may use http. */
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
