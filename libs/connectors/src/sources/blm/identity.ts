import type { BlmRow } from '../../formats/blm-rows';
import { plainLine } from '../../kit/clean/plain-text';

/** The branch of the agency, however it is written: one file may hold several. */
export function branchOf(row: BlmRow): string | undefined {
  return plainLine(row['BRANCH_ID'] ?? '')?.toUpperCase();
}

/**
 * AGENT_REF is unique within a branch. The usual ones start with the branch themselves (`99999_D1`): they are the
 * identifier as they stand; the others get their branch put ahead.
 */
export function affIdOf(row: BlmRow): string | undefined {
  const reference = plainLine(row['AGENT_REF'] ?? '');
  const branch = branchOf(row);
  if (reference === undefined || branch === undefined) return reference;
  return reference.toUpperCase().startsWith(`${branch}_`) ? reference : `${branch}-${reference}`;
}
