import type { RecordOutcome } from '../../../libs/connectors/src/engine/contracts';

/** Converts the buffers of an outcome to strings, so that tests can compare it. */
export function readable(outcome: RecordOutcome): object {
  if (outcome.kind !== 'listing') return outcome;
  const { normalized, raw, searchFields, ...others } = outcome;
  return {
    ...others,
    ...{ normalized: normalized.toString(), raw: raw.toString(), searchFields: searchFields.toString() },
  };
}
