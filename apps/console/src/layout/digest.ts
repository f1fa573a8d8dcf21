import { createHash } from 'node:crypto';

/** A short digest of what a page shows. Its forms carry it, so that acts can see whether it has changed. */
export function digestShown(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
}
