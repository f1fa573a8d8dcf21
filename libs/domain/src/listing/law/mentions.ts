import type { Mention } from '../kinds';
import { dutyMask } from './duty-codes';
import { FRANCE } from './france';
import { GERMANY, ITALY } from './germany-italy';
import { type Advert, type CountryRules, mentionOf } from './rules';

const BY_COUNTRY: ReadonlyMap<string | undefined, CountryRules> = new Map(
  [FRANCE, GERMANY, ITALY].map((rules) => [rules.country, rules]),
);

/** The sentences that the law of the property's country wants, of those whose facts are known. None is guessed. */
export function mentionsOf(advert: Advert): Mention[] {
  const country = BY_COUNTRY.get(advert.pays);
  if (country === undefined) return [];
  const mentions: Mention[] = [];
  for (const rule of country.rules) {
    const texte = rule.concerns(advert) ? rule.sentence?.(advert) : undefined;
    if (texte !== undefined) mentions.push(mentionOf(country, rule, texte));
  }
  return mentions;
}

/** The codes of what the law of the property's country asks for and the advert does not say. */
export function missingDutiesOf(advert: Advert): string[] {
  const rules = BY_COUNTRY.get(advert.pays)?.rules ?? [];
  return rules.filter((rule) => rule.concerns(advert) && !rule.isMet(advert)).map(({ code }) => code);
}

/** The same as one number, as a listing version keeps it; `dutiesOfMask` reads it. */
export function missingDutiesMask(advert: Advert): number {
  return dutyMask(advert.pays ?? '', missingDutiesOf(advert));
}
