import { AccessRefused, BadFeed, RetryLater, type FeedError } from '@passerelle/domain';

export class NotThere extends BadFeed {}

const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** The error for a status that is neither success, redirect nor "not modified". `shown` is the masked URL. */
export function errorOfStatus(
  status: number,
  shown: string,
  retryAfter: string | undefined,
  now = Date.now(),
): FeedError {
  const message = `${shown} answered ${status}`;
  if (status === 401 || status === 403) return new AccessRefused(message);
  if (status >= 500 || PASSING_STATUSES.has(status)) return new RetryLater(message, retryAfterMs(retryAfter, now));
  return GONE_STATUSES.has(status) ? new NotThere(message) : new BadFeed(message);
}

/** The wait that a Retry-After header asks for, in seconds or as an HTTP date; undefined when it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  // An HTTP date always names its weekday; Date.parse would also read "-1" or "12.5" as dates.
  if (!/^\s*[A-Z][a-z]{2,8},? /.test(header)) return undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
