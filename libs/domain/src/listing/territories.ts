/** Overseas departments and collectivities of France, which have French postcodes and the duties of French adverts. */
const BY_POSTCODE: readonly (readonly [string, string])[] = Object.entries({
  ...{ '97133': 'BL', '97150': 'MF' },
  ...{ '971': 'GP', '972': 'MQ', '973': 'GF', '974': 'RE', '975': 'PM', '976': 'YT' },
}).sort(([a], [b]) => b.length - a.length);

/** France and its territories with French law, by their codes of ISO 3166-1. */
export const FRENCH_COUNTRIES: readonly string[] = ['FR', ...new Set(BY_POSTCODE.map(([, code]) => code))];

/** Countries whose adverts often name a neighbour, by the form of their postcodes. */
const NEIGHBOURS: readonly (readonly [RegExp, string])[] = [
  [/^980\d\d$/, 'MC'],
  [/^AD ?[1-7]00$/i, 'AD'],
];

/**
 * The code of the territory that the postcode names: sources often write France for an overseas department and for
 * Monaco, and France or Spain for Andorra.
 * @param pays ISO 3166-1 alpha-2
 */
export function territoryOf(pays: string | undefined, codePostal: string | undefined): string | undefined {
  if (codePostal === undefined || (pays !== 'FR' && pays !== 'ES')) return pays;
  for (const [form, code] of NEIGHBOURS) if (form.test(codePostal) && (pays === 'FR' || code === 'AD')) return code;
  if (pays === 'ES' || codePostal.length !== 5) return pays;
  return BY_POSTCODE.find(([start]) => codePostal.startsWith(start))?.[1] ?? pays;
}

/** The country whose law says what an advert must contain. */
export function lawCountryOf(pays: string | undefined): string | undefined {
  return pays !== undefined && FRENCH_COUNTRIES.includes(pays) ? 'FR' : pays;
}
