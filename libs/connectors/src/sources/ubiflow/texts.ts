import type { XmlRecord } from '../../formats/xml-records';
import { inLanguages, languagesOf, type TextsByLanguage, textsOf } from '../../kit/by-language';
import { toLanguage } from '../../kit/clean/language';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/values';

export function readTexts(record: XmlRecord, context: RecordContext): ReturnType<typeof inLanguages> {
  return inLanguages(
    textsNamed(record, 'titre', ['titre']),
    textsNamed(record, 'texte', ['texte', 'texte_long', 'texte_resume']),
    languagesOf(context.settings),
  );
}

/** The suffix is the language. A plain `titre` is French; if there is also a `titre_fr`, its language is unknown. */
function textsNamed(record: XmlRecord, name: string, plainNames: readonly string[]): TextsByLanguage {
  const named = Object.keys(record)
    .filter((key) => key.startsWith(`${name}_`))
    .flatMap((key): [string, unknown][] => {
      const language = toLanguage(key.slice(name.length + 1));
      return language === undefined ? [] : [[language, record[key]]];
    });
  const hasFrench = named.some(([language, text]) => language === 'fr' && textOf(text) !== undefined);
  return textsOf([...named, ...plainNames.map((plain): [string, unknown] => [hasFrench ? '' : 'fr', record[plain]])]);
}
