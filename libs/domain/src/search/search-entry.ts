import { FIELD_DEFINITIONS } from '../listing/fields';
import type { Listing, ListingField } from '../listing/listing';
import { setOfFormOne, TermSets } from './term-sets';

export interface SearchEntry {
  /** `SearchedFields`, in the notation that `searchedFieldsOf` reads. */
  fields: string;
  /** The words of the listing's title, text and reference: a set of terms. */
  words: Buffer;
}

/** Raise it when the fields, or the definition or comparison of words change. Entries of unknown forms are rebuilt. */
export const SEARCH_FORM = 2;

/** Older forms with the same content in another notation. When the content changes, remove all older forms here. */
const OTHER_FORMS: ReadonlyMap<number, (entry: SearchEntry) => SearchEntry> = new Map([[1, ofFormOne]]);

export const READ_FORMS: readonly number[] = [SEARCH_FORM, ...OTHER_FORMS.keys()];

/** Converts a stored entry to the present form. @param form one of `READ_FORMS` */
export function entryOf(form: number, stored: SearchEntry): SearchEntry {
  return OTHER_FORMS.get(form)?.(stored) ?? stored;
}

type FlagField = {
  [F in ListingField]: (typeof FIELD_DEFINITIONS)[F]['kind'] extends 'flag' ? F : never;
}[ListingField];

/** The boolean fields. */
export const FLAG_FIELDS = (Object.keys(FIELD_DEFINITIONS) as ListingField[]).filter(
  (field): field is FlagField => FIELD_DEFINITIONS[field].kind === 'flag',
);

/** The fields by which a search filters and sorts listings, or that a map shows. */
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

export type SearchedFields = Pick<Listing, (typeof SEARCHED_FIELDS)[number]> & { langues: string[] };

const USUAL_LANGUAGE = 'fr';

const terms = new TermSets();

/** One character per searched field, in the order of the fields: full names would be half of an entry's size. */
const FIELD_MARKS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MARKED_FIELDS = SEARCHED_FIELDS.map((field, place) => [field, FIELD_MARKS[place]!] as const);
const FIELD_OF_MARK = new Map(MARKED_FIELDS.map(([field, mark]) => [mark, field]));

export function searchEntryOf(listing: Partial<Listing>): SearchEntry {
  const texts = textsOf(listing);
  const languages = new Set(texts.flatMap(([, language]) => language ?? []));
  return { fields: packed(listing, [...languages]), words: terms.of(texts) };
}

/** JSON of the marks of the known fields, the languages, and the value of each field. */
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

/** Reads the searched fields of an entry. @param fields of an entry in the present form */
export function searchedFieldsOf(fields: string): SearchedFields {
  const [known, languages, ...values] = JSON.parse(fields) as [string, string, ...unknown[]];
  const searched: Record<string, unknown> = {};
  for (let at = 0; at < known.length; at += 1) searched[FIELD_OF_MARK.get(known[at]!)!] = values[at];
  searched['langues'] = languages === '' ? [] : languages.split(',');
  return searched as SearchedFields;
}

/** In form 1 the fields had names, and each term had 64 bits that were stored together. */
function ofFormOne({ fields, words }: SearchEntry): SearchEntry {
  const searched = JSON.parse(fields) as SearchedFields;
  return { fields: packed(searched, searched.langues), words: setOfFormOne(words) };
}

/** The texts of a listing, each with its language; null for the reference. */
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
