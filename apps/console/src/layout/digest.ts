import { createHash } from 'node:crypto';

/** A short text that is another as soon as what a page shows is another: its forms carry it, so that acts know what was seen. */
export function digestShown(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
}
