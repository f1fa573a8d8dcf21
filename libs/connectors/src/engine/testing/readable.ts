import type { RecordOutcome } from '../contracts';

/** An outcome with its texts as strings, for comparing it. */
export function readable(outcome: RecordOutcome): object {
  if (outcome.kind !== 'listing') return outcome;
  return { ...outcome, normalized: outcome.normalized.toString(), raw: outcome.raw.toString() };
}
