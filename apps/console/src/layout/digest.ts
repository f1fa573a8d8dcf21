import { createHash } from 'node:crypto';

/**
 * A short digest of what a page shows. The page's forms contain it, so that an action can detect a change since then.
 */
export function digestShown(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
}
