import { inLanguages, languagesOf, textsByLanguageAttribute, textsOf, type ListingTexts } from '../../kit/by-language';
import type { XmlRecord } from '../../formats/xml-records';
import { toLanguage } from '../../kit/clean/language';
import { toUrl } from '../../kit/clean/links';
import { plainText } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, textOf } from '../../kit/values';
import { attributeOf } from './attributes';

const at = {
  language: compilePath('verwaltung_techn.sprache'),
  title: compilePath('freitexte.objekttitel'),
  shortText: compilePath('freitexte.dreizeiler'),
  textByLanguage: compilePath('freitexte.objekt_text'),
};
const PARTS = [
  'freitexte.objektbeschreibung',
  'freitexte.lage',
  'freitexte.ausstatt_beschr',
  'freitexte.sonstige_angaben',
].map(compilePath);

/** Without a description in the object's language, `objekt_text` (other languages) is used, else the short text. */
export function textsIn(record: XmlRecord, context: RecordContext): ListingTexts {
  const own = textOf(at.language(record)) ?? '';
  const parts = PARTS.flatMap((part) => plainText(textOf(part(record)) ?? '') ?? []);
  const named = textsByLanguageAttribute(at.textByLanguage(record), '@lang');
  // A text without a language is in the language of the object.
  const unnamed = plainText(named.get(''));
  const inOthers = new Map([...named].filter(([language]) => language !== ''));
  if (unnamed !== undefined && !parts.includes(unnamed)) parts.push(unnamed);
  const descriptions =
    parts.length > 0
      ? textsOf([[own, parts.join('\n\n')], ...inOthers])
      : inOthers.size > 0
        ? inOthers
        : textsOf([[own, at.shortText(record)]]);
  const ownFirst = parts.length > 0 ? [toLanguage(own) ?? ''] : [];
  const wanted = [...ownFirst, ...languagesOf(context.settings)];
  return inLanguages(textsOf([[own, at.title(record)]]), descriptions, wanted);
}

/** The names of user-defined fields in which CRMs write the address of an object's page. */
const PAGE_FIELD = /^(?:(?:objekt|immobilien?|expos[eé]|detail|listing|web|perma)[-_ ]?)?(?:url|link)$/i;
const OWN_FIELDS = ['', 'verwaltung_techn.', 'verwaltung_objekt.', 'freitexte.'].map((section) =>
  compilePath(`${section}user_defined_simplefield`),
);

/** An address without a path is the agency's site, and no page of an object. */
export function hasPath(address: string): boolean {
  return /^https?:\/\/[^/]+\/./.test(address);
}

/** The address of the object's page. */
export function pageOf(record: XmlRecord): string | undefined {
  for (const fieldsAt of OWN_FIELDS) {
    for (const field of listOf(fieldsAt(record))) {
      if (!PAGE_FIELD.test(textOf(attributeOf(field, 'feldname')) ?? '')) continue;
      const address = toUrl(textOf(field));
      if (address !== undefined && hasPath(address)) return address;
    }
  }
  return undefined;
}
