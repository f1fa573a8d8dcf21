import type { XmlRecord } from '../../formats/xml-records';
import { toSquareMetres } from '../../kit/clean/area';
import { toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { compilePath } from '../../kit/path';
import { scalarOf } from '../../kit/scalar';

/** One sign ahead of exactly three digits: it may separate decimals or thousands. */
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}(?![\d.,])/;
/** Nothing that is built, and no plot, is smaller. */
const SMALLEST_M2 = 10;

const builtAt = compilePath('surface_area.built');
const plotAt = compilePath('surface_area.plot');

/** The built area, which is more than the living area: it is the only one that the format has. */
export function builtArea(record: XmlRecord, context: RecordContext): number | undefined {
  return readArea(builtAt(record), 'surface_area.built', context, false);
}

/** The area of the plot. */
export function plotArea(record: XmlRecord, context: RecordContext): number | undefined {
  return readArea(plotAt(record), 'surface_area.plot', context, true);
}

/**
 * Unlike a price an area has decimals: `120.125` is a villa's. Where that would make it absurdly small, as of `1.250`, the
 * sign stands for thousands, and that is noticed. A plot may be of any size, so there every such number is noticed.
 */
function readArea(value: unknown, field: string, context: RecordContext, isOfAnySize: boolean): number | undefined {
  const written = scalarOf(value);
  const area = toNumber(written);
  if (area === undefined || typeof written !== 'string' || !ONE_GROUP.test(written)) return toSquareMetres(area);
  const isTooSmall = area < SMALLEST_M2;
  if (isTooSmall || isOfAnySize) context.warn('implausible_value', field, written.slice(0, 120));
  return toSquareMetres(isTooSmall ? area * 1000 : area);
}
