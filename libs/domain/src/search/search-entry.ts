import { FIELD_DEFINITIONS } from '../listing/fields';
import type { Listing, ListingField } from '../listing/listing';
import { TermSets } from './term-sets';

/** The data stored with a listing for the search. */
export interface SearchEntry {
  /** `SearchedFields`, in the notation that `searchedFieldsOf` reads. */
  fields: string;
  /** The words of the listing's title, text and reference: a set of terms. */
  words: Buffer;
}

/**
 * The form of entries. Raise it when `SEARCHED_FIELDS`, the definition of a word, or the comparison of words changes.
 * An entry of another form is derived from the listing again.
 */
export const SEARCH_FORM = 2;

type FlagField = {
  [F in ListingField]: (typeof FIELD_DEFINITIONS)[F]['kind'] extends 'flag' ? F : never;
}[ListingField];

/** The boolean fields. */
export const FLAG_FIELDS = (Object.keys(FIELD_DEFINITIONS) as ListingField[]).filter(
  (field): field is FlagField => FIELD_DEFINITIONS[field].kind === 'flag',
);

/** The fields that a search filters or sorts by, or that a map shows. */
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

/** The searched fields of a listing, and the languages of its texts. */
export type SearchedFields = Pick<Listing, (typeof SEARCHED_FIELDS)[number]> & { langues: string[] };

/** The assumed language of texts without a stated language. */
const USUAL_LANGUAGE = 'fr';

const terms = new TermSets();

/** One character per field, in the fields' order, because full names would be half of an entry's size. */
const FIELD_MARKS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MARKED_FIELDS = SEARCHED_FIELDS.map((field, place) => [field, FIELD_MARKS[place]!] as const);
const FIELD_OF_MARK = new Map(MARKED_FIELDS.map(([field, mark]) => [mark, field]));

/** Builds the entry of a listing in its published form. */
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
