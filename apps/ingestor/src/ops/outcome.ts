import type { Look } from './show/look';

/** What a word has to say: as one JSON value, or as text for a person. */
export interface Outcome {
  json: unknown;
  text(look: Look): string;
  /** Why the exit code is 1, where the outcome is shown all the same. */
  failure?: string | undefined;
}
