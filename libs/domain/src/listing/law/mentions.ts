import type { Mention } from '../kinds';
import { lawCountryOf } from '../territories';
import { BELGIUM } from './belgium';
import { dutyMask } from './duty-codes';
import { FRANCE } from './france';
import { GERMANY, ITALY } from './germany-italy';
import { AUSTRIA, LUXEMBOURG, NETHERLANDS, PORTUGAL, SPAIN } from './other-countries';
import { UNITED_KINGDOM } from './united-kingdom';
import type { Advert, CountryRules } from './rules';

/** All countries with rules; Switzerland has no federal rules. */
export const LAW_COUNTRIES: readonly CountryRules[] = [
  ...[FRANCE, GERMANY, ITALY, BELGIUM, SPAIN, UNITED_KINGDOM, NETHERLANDS, AUSTRIA, PORTUGAL, LUXEMBOURG],
];

const BY_COUNTRY: ReadonlyMap<string | undefined, CountryRules> = new Map(
  LAW_COUNTRIES.map((rules) => [rules.country, rules]),
);

/** The sentences that the property's country requires, as far as their facts are known. No fact is guessed. */
export function mentionsOf(advert: Advert): Mention[] {
  const country = BY_COUNTRY.get(lawCountryOf(advert.pays));
  if (country === undefined) return [];
  const mentions: Mention[] = [];
  for (const rule of country.rules) {
    const texte = rule.concerns(advert) ? rule.sentence?.(advert) : undefined;
    if (texte === undefined) continue;
    const langue = rule.language?.(advert) ?? country.language;
    mentions.push({ code: rule.code, pays: country.country, langue, texte, source: rule.source });
  }
  return mentions;
}

/** A duty with a stored mention counts as met; its sentence is not built again. */
export function missingDutiesOf(advert: Advert): string[] {
  const missing: string[] = [];
  for (const rule of BY_COUNTRY.get(lawCountryOf(advert.pays))?.rules ?? []) {
    const isSaid = advert.mentions?.some(({ code }) => code === rule.code) === true;
    if (!isSaid && rule.concerns(advert) && !rule.isMet(advert)) missing.push(rule.code);
  }
  return missing;
}

/** The missing duties as one number, the form that a listing version stores; `dutiesOfMask` reads it. */
export function missingDutiesMask(advert: Advert): number {
  return dutyMask(lawCountryOf(advert.pays) ?? '', missingDutiesOf(advert));
}
