import { agencyNameFor } from '../../kit/agency-names';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/scalar';
import type { PolirisRow } from '../../formats/poliris-rows';

/** Rank 1 in one spelling: exports write the same agency with blanks around it, or in another case. */
export function agencyOf(row: PolirisRow): string | undefined {
  return plainLine(textOf(row[1]))?.toUpperCase();
}

/**
 * The technical identifier (rank 175) is unique within an agency and constant; without it the displayed reference
 * (rank 2) stands in. The agency comes first, as one file may hold several.
 */
export function affIdOf(row: PolirisRow): string | undefined {
  const agency = agencyOf(row);
  const own = plainLine(textOf(row[175])) ?? plainLine(textOf(row[2]));
  if (own === undefined) return undefined;
  return agency === undefined ? own : `${agency}-${own}`;
}

/** The agency's name, which the format does not hold: from the settings. */
export function agencyNameOf(row: PolirisRow, context: RecordContext): string | undefined {
  return agencyNameFor(agencyOf(row), context.settings);
}
