import type { BlmRow } from '../../formats/blm-rows';
import { textOf } from '../../kit/scalar';

/** What a column of codes says: `02` and `2` are one code; some exporters write words. */
export function codeOf(row: BlmRow, column: string): string | undefined {
  return textOf(row[column])?.replace(/^0+(?=\d)/, '');
}
