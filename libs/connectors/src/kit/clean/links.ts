import { decodeEntities } from './markup';

/** Addresses that need no encoding, decoding or guessing: the common case, kept as the feed writes them. */
const CLEAN = /^https?:\/\/[\w.~-]+(?::\d+)?(?:[/?#][\w.~!$'()*+,;=:@/?#%&-]*)?$/;
/** An address without a scheme that begins with a host: `www.x.com/1.jpg`, `cdn.x.com/1.jpg`. */
const HOST_FIRST = /^(?:www\.[^/\s]+|(?:[a-z0-9-]+\.)+[a-z]{2,24}(?=\/))/i;

/**
 * Encodes blanks and accents, decodes `&amp;`, adds a missing scheme. Undefined if the URL contains a user or is not
 * http(s).
 */
export function toUrl(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (CLEAN.test(text) && !text.includes('&amp;')) return text;
  const address = withScheme(decodeEntities(decodeEntities(text)).trim());
  if (address === undefined) return undefined;
  try {
    const url = new URL(address);
    // Credentials in an address must not be published.
    if (url.username !== '' || url.password !== '') return undefined;
    return url.hostname === '' ? undefined : url.href;
  } catch {
    return undefined;
  }
}

function withScheme(text: string): string | undefined {
  if (/^https?:\/\/[^/\s]/i.test(text)) return text;
  if (/^\/\/[^/\s.]+(?:\.[^/\s.]+)+\//.test(text)) return `https:${text}`;
  if (HOST_FIRST.test(text)) return `https://${text}`;
  return undefined;
}

/** On one of two film hosts, or a film file. */
const FILM = /^https?:\/\/[^/?#]*(?:youtu\.?be|vimeo)|\.(?:mp4|webm|mov|m4v)(?:[?#]|$)/i;

/** Whether an address leads to a film. */
export function isFilm(address: string): boolean {
  return FILM.test(address);
}

const EMAIL = /^[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:.]+$/;

/** An e-mail address, without `mailto:` and blanks around it; the first one when there are several. */
export function toEmail(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (EMAIL.test(text)) return text;
  return text
    .replace(/^mailto:/i, '')
    .split(/[\s,;<>]+/)
    .find((word) => EMAIL.test(word));
}
