import { toLanguage } from '../../kit/clean/language';

/** The API's language codes: three letters; some are the code of a country. */
const API_LANGUAGES: Readonly<Record<string, string>> = {
  ...{ de: 'DEU', en: 'ENG', fr: 'FRA', it: 'ITA', es: 'ESP', nl: 'NLD', pt: 'PRT', ca: 'CAT', ru: 'RUS', pl: 'POL' },
  ...{ da: 'DNK', sv: 'SWE', no: 'NOR', fi: 'FIN', cs: 'CZE', tr: 'TUR', hr: 'HRV', ro: 'ROU', bg: 'BGR', zh: 'CHN' },
};

export function apiLanguage(language: string): string {
  return API_LANGUAGES[language] ?? language.toUpperCase();
}

/** The language of the records themselves: the client's system language. */
export function mainLanguageOf(settings: Readonly<Record<string, string>>): string {
  return toLanguage(settings['langue-principale'] ?? '') ?? 'de';
}

export function furtherLanguagesOf(settings: Readonly<Record<string, string>>): string[] {
  const main = mainLanguageOf(settings);
  const named = (settings['langues'] ?? '').split(/[\s,;]+/).flatMap((word) => toLanguage(word) ?? []);
  return [...new Set(named)].filter((language) => language !== main);
}
