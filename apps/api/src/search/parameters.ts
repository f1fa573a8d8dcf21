import { FLAG_FIELDS, LISTING_FIELDS, RENT_PERIODS, TYPES_CODE, TYPES_TRANSACTION, wordsOf } from '@passerelle/domain';
import { z } from 'zod';
import { type Parameter, splitEncoded } from '../http/parameters';
import { PAGE_PARAMETERS } from '../properties/parameters';
import { SORTS } from './snapshot-index';

/** Limits that no visitor's search exceeds. */
export const LIMITS = {
  parameters: 100,
  values: 50,
  valueCharacters: 100,
  textCharacters: 200,
  words: 10,
  corners: 100,
  facets: 20,
  radiusKm: 20_000,
} as const;

/** Parameters for a lower and an upper bound, and the field that they restrict. */
export const BOUNDS = {
  prix: { field: 'prix', description: 'sale price', example: 100_000 },
  loyer: { field: 'loyer', description: 'rent per month', example: 600 },
  surface: { field: 'surfaceHabitable', description: 'living area in m²', example: 40 },
  terrain: { field: 'surfaceTerrain', description: 'land area in m²', example: 500 },
  pieces: { field: 'nbrePieces', description: 'number of rooms', example: 3 },
  chambres: { field: 'nbreChambres', description: 'number of bedrooms', example: 2 },
} as const;

export type BoundName = `${keyof typeof BOUNDS}${'Min' | 'Max'}`;

export const FACETS = [
  ...(['typeTransaction', 'typeCode', 'ville', 'codePostal', 'pays', 'dpeClasse', 'loyerPeriode'] as const),
  ...(['nbrePieces', 'nbreChambres'] as const),
  ...FLAG_FIELDS,
] as const;

const PLAIN_NUMBER = /^\d{1,12}(?:\.\d{1,6})?$/;
const PLAIN_DEGREES = /^-?\d{1,3}(?:\.\d{1,15})?$/;

const plainNumber = z.string().regex(PLAIN_NUMBER).transform(Number).pipe(z.number().min(0));
const degrees = (most: number) =>
  z.string().regex(PLAIN_DEGREES).transform(Number).pipe(z.number().min(-most).max(most));
const latitude = degrees(90);
const longitude = degrees(180);
const km = plainNumber.pipe(z.number().gt(0).max(LIMITS.radiusKm));
const numbers = <Items extends [z.ZodType, ...z.ZodType[]]>(items: Items) =>
  z
    .string()
    .max(LIMITS.textCharacters)
    .transform((text) => text.split(','))
    .pipe(z.tuple(items));

const CORNERS = z
  .array(z.tuple([latitude, longitude]))
  .min(3)
  .max(LIMITS.corners);

/** The corners of a polygon, latitude and longitude; null when the text is invalid. */
export function cornersOf(text: string): [number, number][] | null {
  const corners = text.split(';', LIMITS.corners + 1).map((corner) => corner.split(',', 3));
  return CORNERS.safeParse(corners).data ?? null;
}

/** A filter for listings with one of the given values, which are percent-encoded and separated by commas. */
function anyOf<Value extends z.ZodType<string, string>>(
  description: string,
  value: Value,
  allowed: string,
  example: readonly string[],
) {
  return {
    description: `${description}. One of the values must match; values are percent-encoded and separated by commas.`,
    allowed: `a list of 1 to ${LIMITS.values} values separated by commas, each ${allowed}`,
    schema: z.string().transform(splitEncoded).pipe(z.array(value).min(1).max(LIMITS.values)).optional(),
    example,
  } satisfies Parameter;
}

function namesOf<const Names extends readonly string[]>(
  description: string,
  names: Names,
  most: number,
  example: readonly string[],
) {
  return {
    description,
    allowed: `a list of 1 to ${most} of ${names.join(', ')}, separated by commas`,
    schema: z
      .string()
      .transform((list) => [...new Set(list.split(','))])
      .pipe(z.array(z.enum(names)).min(1).max(most))
      .optional(),
    example,
  } satisfies Parameter;
}

const text = z.string().min(1).max(LIMITS.valueCharacters);
const TEXT = `a text of 1 to ${LIMITS.valueCharacters} characters`;

const bound = (name: keyof typeof BOUNDS, side: 'Min' | 'Max') => ({
  description: `${side === 'Min' ? 'Least' : 'Greatest'} ${BOUNDS[name].description}; properties without one are not found.`,
  allowed: 'a number of at most 12 digits, with at most 6 decimals after the point',
  schema: plainNumber.optional(),
  example: BOUNDS[name].example * (side === 'Min' ? 1 : 5),
});
type Bound = ReturnType<typeof bound>;
const BOUND_PARAMETERS = Object.fromEntries(
  (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).flatMap((name) => [
    [`${name}Min`, bound(name, 'Min')],
    [`${name}Max`, bound(name, 'Max')],
  ]),
) as Record<BoundName, Bound>;

const flag = (field: string) => ({
  description: `Whether the field \`${field}\` is true or false. Properties without the field match neither.`,
  allowed: '"true" or "false"',
  schema: z.enum(['true', 'false']).optional(),
  example: 'true',
});
const FLAG_PARAMETERS = Object.fromEntries(FLAG_FIELDS.map((field) => [field, flag(field)])) as Record<
  (typeof FLAG_FIELDS)[number],
  ReturnType<typeof flag>
>;

const { crm, client, page, per_page, format, snapshot } = PAGE_PARAMETERS;

export const SEARCH_PARAMETERS = {
  ...{ crm, client, page, per_page, format },
  snapshot: {
    ...snapshot,
    description:
      'Token of the snapshot to search (`X-Snapshot` of an earlier answer), even if a newer one was published since. Without it the ' +
      'current one is searched.',
  },
  q: {
    description:
      'Words that all have to be found in title, text or reference. Capitals, accents and plurals make no difference.',
    allowed: `a text of at most ${LIMITS.textCharacters} characters with 1 to ${LIMITS.words} words`,
    schema: z
      .string()
      .max(LIMITS.textCharacters)
      .refine((text) => {
        const { length } = wordsOf(text);
        return length >= 1 && length <= LIMITS.words;
      })
      .optional(),
    example: 'maison jardin',
  },
  typeTransaction: anyOf('Type of the offer', z.enum(TYPES_TRANSACTION), `of ${TYPES_TRANSACTION.join(', ')}`, [
    'vente',
  ]),
  typeCode: anyOf('Kinds of property', z.enum(TYPES_CODE), `of ${TYPES_CODE.join(', ')}`, ['maison', 'appartement']),
  ville: anyOf('Towns; capitals and accents make no difference', text, TEXT, ['Lyon', 'Villeurbanne']),
  codePostal: anyOf('Postcodes', text, TEXT, ['69001', '69002']),
  pays: anyOf('Countries, ISO 3166-1 alpha-2', text, TEXT, ['FR']),
  dpeClasse: anyOf('Energy classes of French certificates', text, TEXT, ['A', 'B', 'C']),
  loyerPeriode: anyOf(
    'Periods of rents at the source, when the rent is not monthly',
    z.enum(RENT_PERIODS),
    `of ${RENT_PERIODS.join(', ')}`,
    ['semaine'],
  ),
  ...BOUND_PARAMETERS,
  ...FLAG_PARAMETERS,
  bbox: {
    description:
      'Published positions between west, south, east and north, in degrees. If west is greater than east, the area ' +
      'crosses the 180th meridian.',
    allowed: 'four numbers west,south,east,north, in degrees',
    schema: numbers([longitude, latitude, longitude, latitude])
      .refine(([, south, , north]) => south <= north)
      .optional(),
    example: [4.7, 45.6, 5, 45.9],
  },
  around: {
    description: 'Published positions within a radius of a point: latitude, longitude, radius in km.',
    allowed: `three numbers lat,lon,km, with more than 0 and at most ${LIMITS.radiusKm} km`,
    schema: numbers([latitude, longitude, km]).optional(),
    example: [45.76, 4.83, 10],
  },
  polygon: {
    description:
      'Published positions within a polygon, its edge included: its corners as `lat,lon`, separated by semicolons. Its sides are ' +
      'straight on a map of latitudes and longitudes; if they cross, an area that they enclose twice is outside.',
    allowed: `3 to ${LIMITS.corners} corners lat,lon separated by semicolons, in degrees`,
    schema: z
      .string()
      .refine((text) => cornersOf(text) !== null)
      .optional(),
    example: '45.7,4.7;45.8,4.8;45.7,4.9',
  },
  sort: {
    description:
      'The order: by price, rent, living area or date (of the last change in the CRM, else of the creation), ascending ' +
      'or, with `-`, descending; properties without the value come last. `feed` is the order of the list, which also ' +
      'applies between equal values.',
    allowed: `one of ${SORTS.join(', ')}`,
    schema: z.enum(SORTS).default('feed'),
    example: 'prix',
  },
  facets: namesOf('How often each value of these fields occurs in the whole result.', FACETS, LIMITS.facets, [
    'typeCode',
    'ville',
  ]),
  fields: namesOf(
    'Only these fields of each property, and `affId`. Not with `format=raw`.',
    LISTING_FIELDS,
    LISTING_FIELDS.length,
    ['intitule', 'prix', 'photos'],
  ),
  pins: {
    description: 'Whether the answer also has all properties of the result with a position, in short form, for a map.',
    allowed: '"true" or "false"',
    schema: z.enum(['true', 'false']).optional(),
    example: 'true',
  },
} satisfies Record<string, Parameter>;
