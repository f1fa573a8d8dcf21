import { FIELD_DEFINITIONS } from '../listing/fields';
import type { Listing, ListingField } from '../listing/listing';
import { TermSets } from './term-sets';

/** What is kept beside a listing for it to be found by. */
export interface SearchEntry {
  /** JSON of `SearchedFields`. */
  fields: string;
  /** The words of its title, text and reference: a set of terms. */
  words: Buffer;
}

/**
 * The form of entries: raised with `SEARCHED_FIELDS`, with what a word is, and with how words are compared. An entry of another
 * form is made anew from the listing when it is read.
 */
export const SEARCH_FORM = 1;

type FlagField = {
  [F in ListingField]: (typeof FIELD_DEFINITIONS)[F]['kind'] extends 'flag' ? F : never;
}[ListingField];

/** The fields that are true or false. */
export const FLAG_FIELDS = (Object.keys(FIELD_DEFINITIONS) as ListingField[]).filter(
  (field): field is FlagField => FIELD_DEFINITIONS[field].kind === 'flag',
);

/** The fields that listings are found by, are put in order by, or are shown with on a map. */
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

/** Of texts whose language is not said. */
const USUAL_LANGUAGE = 'fr';

const terms = new TermSets();

/** How each searched field is named in JSON. */
const NAMED_FIELDS = SEARCHED_FIELDS.map((field) => [field, `${JSON.stringify(field)}:`] as const);

/** The entry of a listing as it is published. */
export function searchEntryOf(listing: Partial<Listing>): SearchEntry {
  const texts = textsOf(listing);
  const languages = new Set(texts.flatMap(([, language]) => language ?? []));
  let fields = '{';
  for (const [field, name] of NAMED_FIELDS) {
    const value = listing[field];
    if (value !== undefined) fields += `${name}${JSON.stringify(value)},`;
  }
  return { fields: `${fields}"langues":${JSON.stringify([...languages])}}`, words: terms.of(texts) };
}

/** Its texts, each with its language; null for its reference. */
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
