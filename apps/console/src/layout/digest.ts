import { createHash } from 'node:crypto';

/** The page's forms contain this digest, so that an action can detect a change since the page was shown. */
export function digestShown(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
}
