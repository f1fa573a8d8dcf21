/** Raise this after a change of mentions or duties, so that runs map every record again. `rules.spec.ts` checks it. */
export const RULES_VERSION = 6;

/** A listing version stores missing duties as bits by position, so add new codes at the end and never remove a code. */
export const DUTY_CODES_BY_COUNTRY = {
  FR: [
    ...[
      'fr-dpe',
      'fr-consommation-excessive',
      'fr-depenses-energie',
      'fr-georisques',
      'fr-honoraires',
      'fr-copropriete',
    ],
    ...[
      'fr-loyer-charges',
      'fr-depot-garantie',
      'fr-honoraires-locataire',
      'fr-etat-des-lieux',
      'fr-encadrement-loyer',
    ],
  ],
  DE: ['de-energieausweis'],
  IT: ['it-prestazione-energetica'],
  BE: ['be-vlg-epc', 'be-wal-peb', 'be-bru-peb', 'be-vlg-overstroming', 'be-vlg-stedenbouw'],
  ES: ['es-certificado-energetico', 'es-numero-registro'],
  GB: ['gb-epc', 'gb-council-tax', 'gb-tenure', 'gb-price', 'gb-deposit'],
  NL: ['nl-energielabel'],
  AT: ['at-energieausweis'],
  PT: ['pt-classe-energetica'],
  LU: ['lu-passeport-energetique'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** All codes: a closed list, as metrics labels require. */
export const DUTY_CODES: readonly string[] = Object.values(DUTY_CODES_BY_COUNTRY).flat();

/** The number of listings that lack each duty, by its code. Duties that no listing lacks are absent. */
export type DutyCounts = Readonly<Record<string, number>>;

/** The higher bits contain the country's position. */
const BITS_OF_CODES = 24;
const COUNTRIES = Object.entries<readonly string[]>(DUTY_CODES_BY_COUNTRY);

/** A country's codes as one number of 31 bits; 0 for none. @throws Error for a code that the table does not have. */
export function dutyMask(country: string, codes: readonly string[]): number {
  if (codes.length === 0) return 0;
  const place = COUNTRIES.findIndex(([name]) => name === country);
  const known = COUNTRIES[place]?.[1] ?? [];
  let bits = 0;
  for (const code of codes) {
    const bit = known.indexOf(code);
    if (bit < 0) throw new Error(`the duty ${code} is not in the table of codes`);
    bits |= 1 << bit;
  }
  return (place << BITS_OF_CODES) | bits;
}

/** The codes in a mask, in the table's order. Codes that a newer release added are ignored. */
export function dutiesOfMask(mask: number): string[] {
  const codes = COUNTRIES[mask >> BITS_OF_CODES]?.[1] ?? [];
  return codes.filter((_code, bit) => mask & (1 << bit));
}

/** @param masks one per listing */
export function countDuties(masks: Iterable<number>): DutyCounts {
  // Many listings share a few masks, so count the masks first.
  const listings = new Map<number, number>();
  for (const mask of masks) if (mask !== 0) listings.set(mask, (listings.get(mask) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [mask, having] of listings) {
    for (const code of dutiesOfMask(mask)) counts.set(code, (counts.get(code) ?? 0) + having);
  }
  return Object.fromEntries(DUTY_CODES.flatMap((code) => (counts.has(code) ? [[code, counts.get(code)!]] : [])));
}
