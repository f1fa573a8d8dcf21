import { FIELD_DEFINITIONS } from '../listing/fields';
import type { Listing, ListingField } from '../listing/listing';
import { setOfFormOne, TermSets } from './term-sets';

/** The data stored beside a listing for the search. */
export interface SearchEntry {
  /** `SearchedFields` as `searchedFieldsOf` reads them. */
  fields: string;
  /** The words of its title, text and reference: a set of terms. */
  words: Buffer;
}

/**
 * The form of entries: raise it with `SEARCHED_FIELDS`, with the definition of a word, and with how words are compared.
 * An entry of an unknown form is made from the listing again.
 */
export const SEARCH_FORM = 2;

/** Older forms with the same content in another notation. A form with other content reads none of the earlier ones. */
const OTHER_FORMS: ReadonlyMap<number, (entry: SearchEntry) => SearchEntry> = new Map([[1, ofFormOne]]);

/** The forms that `entryOf` reads. */
export const READ_FORMS: readonly number[] = [SEARCH_FORM, ...OTHER_FORMS.keys()];

/** A stored entry in the present form. @param form one of `READ_FORMS` */
export function entryOf(form: number, stored: SearchEntry): SearchEntry {
  return OTHER_FORMS.get(form)?.(stored) ?? stored;
}

type FlagField = {
  [F in ListingField]: (typeof FIELD_DEFINITIONS)[F]['kind'] extends 'flag' ? F : never;
}[ListingField];

/** The fields that are true or false. */
export const FLAG_FIELDS = (Object.keys(FIELD_DEFINITIONS) as ListingField[]).filter(
  (field): field is FlagField => FIELD_DEFINITIONS[field].kind === 'flag',
);

/** The fields by which listings are found and sorted, or that a map shows. */
export const SEARCHED_FIELDS = [
  ...([
    'affId',
    'typeTransaction',
    'typeCode',
    'prix',
    'prixCurrency',
    'loyer',
    'loyerPeriode',
    'loyerSource',
  ] as const),
  ...(['surfaceHabitable', 'surfaceTerrain', 'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'pays'] as const),
  ...(['latitude', 'longitude', 'dpeClasse', 'dateCreation', 'dateModification'] as const),
  ...FLAG_FIELDS,
] satisfies readonly ListingField[];

/** Those fields of a listing, and the languages of its texts. */
export type SearchedFields = Pick<Listing, (typeof SEARCHED_FIELDS)[number]> & { langues: string[] };

/** For texts without a stated language. */
const USUAL_LANGUAGE = 'fr';

const terms = new TermSets();

/** Each searched field is one character, in their order: the names would be half of an entry's size. */
const FIELD_MARKS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MARKED_FIELDS = SEARCHED_FIELDS.map((field, place) => [field, FIELD_MARKS[place]!] as const);
const FIELD_OF_MARK = new Map(MARKED_FIELDS.map(([field, mark]) => [mark, field]));

/** The entry of a listing as it is published. */
export function searchEntryOf(listing: Partial<Listing>): SearchEntry {
  const texts = textsOf(listing);
  const languages = new Set(texts.flatMap(([, language]) => language ?? []));
  return { fields: packed(listing, [...languages]), words: terms.of(texts) };
}

/** JSON: a list of the marks of the known fields, the languages, and each field's value. */
function packed(listing: Partial<Listing>, languages: readonly string[]): string {
  let known = '';
  let values = '';
  for (const [field, mark] of MARKED_FIELDS) {
    const value = listing[field];
    if (value === undefined) continue;
    known += mark;
    values += `,${JSON.stringify(value)}`;
  }
  return `["${known}",${JSON.stringify(languages.join())}${values}]`;
}

/** @param fields of an entry of this form */
export function searchedFieldsOf(fields: string): SearchedFields {
  const [known, languages, ...values] = JSON.parse(fields) as [string, string, ...unknown[]];
  const searched: Record<string, unknown> = {};
  for (let at = 0; at < known.length; at += 1) searched[FIELD_OF_MARK.get(known[at]!)!] = values[at];
  searched['langues'] = languages === '' ? [] : languages.split(',');
  return searched as SearchedFields;
}

/** In form 1 the fields had names, and each term had 64 bits, one after the other. */
function ofFormOne({ fields, words }: SearchEntry): SearchEntry {
  const searched = JSON.parse(fields) as SearchedFields;
  return { fields: packed(searched, searched.langues), words: setOfFormOne(words) };
}

/** Its texts, each with its language; null for the reference. */
function textsOf({ affNum, intitule, commentaires, langue = USUAL_LANGUAGE, textes = {} }: Partial<Listing>) {
  const texts: [string, string | null][] = [];
  if (affNum !== undefined) texts.push([affNum, null]);
  if (intitule !== undefined) texts.push([intitule, langue]);
  if (commentaires !== undefined) texts.push([commentaires, langue]);
  for (const language of Object.keys(textes)) {
    const { intitule: title, commentaires: text } = textes[language] ?? {};
    if (title !== undefined) texts.push([title, language]);
    if (text !== undefined) texts.push([text, language]);
  }
  return texts;
}
