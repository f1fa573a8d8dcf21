import type { SearchedFields } from '@passerelle/domain';

const SHOWN = ['prix', 'prixCurrency', 'loyer', 'loyerSource', 'typeTransaction', 'typeCode'] as const;

function coordinatesOf({ latitude, longitude }: SearchedFields): { latitude: number; longitude: number } | null {
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** The map marker of a listing, as JSON; empty if its position is unknown. */
export function pinTextOf(fields: SearchedFields): string {
  const position = coordinatesOf(fields);
  if (position === null) return '';
  const known = SHOWN.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]] as const]));
  return JSON.stringify({ affId: fields.affId, ...position, ...Object.fromEntries(known) });
}
