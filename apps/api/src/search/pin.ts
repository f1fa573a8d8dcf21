import type { SearchedFields } from '@passerelle/domain';

const SHOWN = ['prix', 'prixCurrency', 'loyer', 'loyerSource', 'typeTransaction', 'typeCode'] as const;

/** Where a listing is said to be; null where that is not said. */
function coordinatesOf({ latitude, longitude }: SearchedFields): { latitude: number; longitude: number } | null {
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** What a map shows of a listing, as JSON; empty where its position is not said. */
export function pinTextOf(fields: SearchedFields): string {
  const position = coordinatesOf(fields);
  if (position === null) return '';
  const known = SHOWN.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]] as const]));
  return JSON.stringify({ affId: fields.affId, ...position, ...Object.fromEntries(known) });
}
