import type { LanguageTexts, Listing } from '@passerelle/domain';
import { toLanguage } from './clean/language';
import { plainLine, plainText } from './clean/plain-text';
import { listOf, scalarOf, textOf } from './values';

/** The first non-empty text of children named by language, in preferred order; a plain text counts as well. */
export function byLanguage(value: unknown, languages: readonly string[]): string | undefined {
  for (const one of listOf(value)) {
    if (typeof one !== 'object' || one === null) {
      const plain = textOf(one);
      if (plain !== undefined) return plain;
      continue;
    }
    const texts = one as Readonly<Record<string, unknown>>;
    for (const language of languages) {
      const text = textOf(scalarOf(texts[language]));
      if (text !== undefined) return text;
    }
    for (const [name, other] of Object.entries(texts)) {
      // A child whose name is not a language is not a translation, and may be private.
      const isText = name === '#text' || toLanguage(name) !== undefined;
      const text = isText ? textOf(scalarOf(other)) : undefined;
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/**
 * Like `byLanguage`, for texts that name their language in an attribute such as `@lang`. Only the first part of `fr-CH`
 * counts.
 */
export function byLanguageAttribute(
  value: unknown,
  attribute: string,
  languages: readonly string[],
): string | undefined {
  const texts = listOf(value).flatMap((one) => {
    const text = textOf(scalarOf(one));
    if (text === undefined) return [];
    const language = typeof one === 'object' && one !== null ? textOf((one as Record<string, unknown>)[attribute]) : '';
    return [{ text, language: language?.toLowerCase().split(/[-_]/)[0] }];
  });
  for (const language of languages) {
    const found = texts.find((one) => one.language === language);
    if (found !== undefined) return found.text;
  }
  return texts[0]?.text;
}

/** The texts of one field by language, in the feed's order; a text without a stated language has the key `''`. */
export type TextsByLanguage = ReadonlyMap<string, string>;

/** The first text per language, from `<title><fr>…`. @param isText whether a child of this name is one of the texts */
export function textsByLanguage(value: unknown, isText: (name: string) => boolean = () => true): TextsByLanguage {
  const pairs: [string, unknown][] = [];
  for (const one of listOf(value)) {
    if (typeof one !== 'object' || one === null) pairs.push(['', one]);
    else for (const pair of Object.entries(one)) if (!pair[0].startsWith('@') && isText(pair[0])) pairs.push(pair);
  }
  return textsOf(pairs);
}

/** The texts of elements that name their language in an attribute: for `<title lang="fr">`, `attribute` is `@lang`. */
export function textsByLanguageAttribute(value: unknown, attribute: string): TextsByLanguage {
  return textsOf(
    listOf(value).map((one): [string, unknown] => [
      (typeof one === 'object' && one !== null && textOf((one as Record<string, unknown>)[attribute])) || '',
      one,
    ]),
  );
}

/** Reads languages as feeds write them (`EN`, `fr-CH`, `deu`). An unknown word counts as a missing language. */
export function textsOf(pairs: Iterable<readonly [language: string, text: unknown]>): TextsByLanguage {
  const texts = new Map<string, string>();
  for (const [word, value] of pairs) {
    const text = textOf(value);
    if (text === undefined) continue;
    const language = toLanguage(word) ?? '';
    if (!texts.has(language)) texts.set(language, text);
  }
  return texts;
}

export type ListingTexts = Pick<Listing, 'intitule' | 'commentaires' | 'langue' | 'textes'>;

/**
 * Title and description share the first wanted language that has both; otherwise each has its own first wanted
 * language. `langue` is the language of the description, else of the title. `textes` has the languages whose texts
 * differ. @param ofDescriptions the wanted order for descriptions, if it differs
 */
export function inLanguages(
  titles: TextsByLanguage,
  descriptions: TextsByLanguage,
  languages: readonly string[],
  ofDescriptions = languages,
): ListingTexts {
  const [lines, proses] = [cleaned(titles, plainLine), cleaned(descriptions, plainText)];
  const both = [...ofDescriptions, ...proses.keys()].find((one) => lines.has(one) && proses.has(one));
  const ofTitle = both ?? firstWanted(lines, languages);
  const ofText = both ?? firstWanted(proses, ofDescriptions);
  const [intitule, commentaires] = [lines.get(ofTitle ?? ''), proses.get(ofText ?? '')];
  const langue = ofText ?? ofTitle ?? '';
  const textes: Record<string, LanguageTexts> = {};
  for (const language of [...new Set([...lines.keys(), ...proses.keys()])].sort()) {
    const [title, description] = [lines.get(language), proses.get(language)];
    // Some exporters copy one text into every language.
    const isShown = (title ?? intitule) === intitule && (description ?? commentaires) === commentaires;
    if (language === '' || isShown) continue;
    textes[language] = {
      ...(title === undefined ? {} : { intitule: title }),
      ...(description === undefined ? {} : { commentaires: description }),
    };
  }
  return {
    ...(intitule === undefined ? {} : { intitule }),
    ...(commentaires === undefined ? {} : { commentaires }),
    ...(langue === '' ? {} : { langue }),
    ...(Object.keys(textes).length === 0 ? {} : { textes }),
  };
}

function cleaned(texts: TextsByLanguage, clean: (text: string) => string | undefined): TextsByLanguage {
  const cleanTexts = new Map<string, string>();
  for (const [language, text] of texts) {
    const plain = clean(text);
    if (plain !== undefined) cleanTexts.set(language, plain);
  }
  return cleanTexts;
}

function firstWanted(texts: TextsByLanguage, languages: readonly string[]): string | undefined {
  return languages.find((language) => texts.has(language)) ?? texts.keys().next().value;
}

/** The operator's language, then French, English and the format's preferences. Others follow in the feed's order. */
export function languagesOf(
  settings: Readonly<Record<string, string>>,
  ...further: readonly string[]
): readonly string[] {
  const languages = [...DEFAULT_LANGUAGES, ...further];
  const wanted = settings['langue']?.trim().toLowerCase();
  return wanted === undefined || wanted === '' || wanted === 'fr' ? languages : [wanted, ...languages];
}

const DEFAULT_LANGUAGES: readonly string[] = ['fr', 'en'];
