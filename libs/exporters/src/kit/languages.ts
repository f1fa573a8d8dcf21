import type { LanguageTexts, Listing } from '@passerelle/domain';

/** The texts in a language; where the listing has none in it, those of the listing's own language. */
export function textsFor(listing: Listing, language: string): LanguageTexts & { language: string | undefined } {
  const { langue, intitule, commentaires, textes = {} } = listing;
  const other = langue === language ? undefined : textes[language];
  const own: LanguageTexts = {
    ...(intitule !== undefined && { intitule }),
    ...(commentaires !== undefined && { commentaires }),
  };
  return other === undefined ? { ...own, language: langue } : { ...own, ...other, language };
}

/** All texts by language, the listing's own first. A listing that names no language has the one given. */
export function textsByLanguage(listing: Listing, unnamed: string): readonly (readonly [string, LanguageTexts])[] {
  const { langue = unnamed, intitule, commentaires, textes = {} } = listing;
  const own: LanguageTexts = {
    ...(intitule !== undefined && { intitule }),
    ...(commentaires !== undefined && { commentaires }),
  };
  const others = Object.entries(textes).filter(([language]) => language !== langue);
  return Object.keys(own).length === 0 ? others : [[langue, own], ...others];
}
