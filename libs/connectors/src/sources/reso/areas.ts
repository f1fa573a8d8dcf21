import type { JsonRecord } from '../../formats/json-records';
import { type AreaUnit, toSquareMetres } from '../../kit/clean/area';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/scalar';
import { AREA_UNITS } from './lookups';
import { amount } from './offer';

/** The living area, else what the building has; feet where no unit is given, as most servers leave it out then. */
export function livingAreaOf(record: JsonRecord, context: RecordContext): number | undefined {
  return (
    measured(record, 'LivingArea', 'LivingAreaUnits', 'ft2', context) ??
    measured(record, 'BuildingAreaTotal', 'BuildingAreaUnits', 'ft2', context)
  );
}

/** The lot: an area with its unit, else the two fields that have one in their names. */
export function lotAreaOf(record: JsonRecord, context: RecordContext): number | undefined {
  return (
    measured(record, 'LotSizeArea', 'LotSizeUnits', undefined, context) ??
    toSquareMetres(amount(record, 'LotSizeSquareFeet'), 'ft2') ??
    toSquareMetres(amount(record, 'LotSizeAcres'), 'acre')
  );
}

function measured(
  record: JsonRecord,
  areaField: string,
  unitField: string,
  withoutUnit: AreaUnit | undefined,
  context: RecordContext,
): number | undefined {
  const area = amount(record, areaField);
  if (area === undefined) {
    noticeWords(record, areaField, context);
    return undefined;
  }
  const word = textOf(record[unitField]);
  const unit = word === undefined ? withoutUnit : AREA_UNITS.find(word);
  if (word !== undefined && unit === undefined) context.warn('implausible_value', unitField, word.slice(0, 120));
  return unit === undefined ? undefined : toSquareMetres(area, unit);
}

/** "1800 sqft" is no number, but somebody measured. */
function noticeWords(record: JsonRecord, field: string, context: RecordContext): void {
  const written = scalarOf(record[field]);
  if (typeof written === 'string' && /[1-9]/.test(written) && /\p{L}/u.test(written))
    context.warn('implausible_value', field, written.slice(0, 120));
}
