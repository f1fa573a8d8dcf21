import { listOf, scalarOf, textOf } from './values';

/**
 * A text that a feed gives in several languages, as children named by language: the first that says something, in the
 * order of preference, then in the feed's order. A plain text counts as well; a language that is repeated too.
 * See `byLanguageAttribute` for texts that name their language themselves.
 */
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
      const text = name.startsWith('@') ? undefined : textOf(scalarOf(other));
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/**
 * The same for a list of texts each of which names its language in an attribute, `<title lang="fr">`: `attribute` is
 * `@lang`. Of a language as `fr-CH` the first part counts.
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

/**
 * The order in which texts are wanted: the language that an operator set, then French, English, and those that a format
 * asks for after them. What is in none of them comes in the feed's order.
 */
export function languagesOf(
  settings: Readonly<Record<string, string>>,
  ...further: readonly string[]
): readonly string[] {
  const languages = [...DEFAULT_LANGUAGES, ...further];
  const wanted = settings['langue']?.trim().toLowerCase();
  return wanted === undefined || wanted === '' || wanted === 'fr' ? languages : [wanted, ...languages];
}

const DEFAULT_LANGUAGES: readonly string[] = ['fr', 'en'];
