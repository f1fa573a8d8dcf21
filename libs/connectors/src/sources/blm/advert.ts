import type { Listing, MaterialFact } from '@passerelle/domain';
import type { BlmRow } from '../../formats/blm-rows';
import type { LinkSource } from '../../kit/clean/attachments';
import { isFilm, toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import { features, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import {
  codeOf,
  CERTIFICATE_COLUMNS,
  DOCUMENT_COLUMNS,
  FLOOR_PLAN_COLUMNS,
  LETTING_FLAGS,
  type MediaColumn,
  numbered,
  PHOTO_COLUMNS,
  PRICE_QUALIFIERS,
  TENURES,
  TOUR_COLUMNS,
  UNQUALIFIED,
} from './lookups';

const FEATURE_COLUMNS = numbered('FEATURE', 31);
const FLOOR_PLAN = /^floor[ -]?plans?(?: \d+)?$/i;
const CERTIFICATE = /^(?:epc\b.*|hip|energy performance certificate.*)$/i;
const lettingFlags = namesOfYes(LETTING_FLAGS);

export const FEATURES = features<BlmRow>((row) => [
  ...FEATURE_COLUMNS.map((column) => row[column]),
  ...lettingFlags(row),
]);

function* mediaIn(row: BlmRow, columns: readonly MediaColumn[]): Generator<LinkSource> {
  for (const { value: column, caption } of columns) {
    const value = row[column];
    if (value !== undefined && value !== '') yield { value, titre: row[caption] };
  }
}

/** Pictures in the columns of photos with a caption that says what they are, as older exporters send them. */
function* amongPhotos(row: BlmRow, caption: RegExp): Generator<LinkSource> {
  for (const one of mediaIn(row, PHOTO_COLUMNS)) if (caption.test(textOf(one.titre) ?? '')) yield one;
}

export function* plansOf(row: BlmRow): Generator<LinkSource> {
  yield* mediaIn(row, FLOOR_PLAN_COLUMNS);
  yield* amongPhotos(row, FLOOR_PLAN);
}

/** Brochures and certificates, which the format declares public. */
export function* documentsOf(row: BlmRow): Generator<LinkSource> {
  yield* mediaIn(row, DOCUMENT_COLUMNS);
  yield* mediaIn(row, CERTIFICATE_COLUMNS);
  yield* amongPhotos(row, CERTIFICATE);
}

/** Returns the words of a code. A word instead of a code stays unchanged, because only its exporter uses it. */
export function qualifierOf(row: BlmRow, context: RecordContext): string | undefined {
  const word = codeOf(row, 'PRICE_QUALIFIER');
  if (word === undefined || UNQUALIFIED.has(word)) return undefined;
  return /^\d+$/.test(word) ? lookUp(PRICE_QUALIFIERS, word, 'PRICE_QUALIFIER', context) : word;
}

export function tenureOf(row: BlmRow, context: RecordContext): string | undefined {
  const word = codeOf(row, 'TENURE_TYPE_ID');
  return word === undefined || word === '0' ? undefined : lookUp(TENURES, word, 'TENURE_TYPE_ID', context);
}

const reviewYears = v.integer('GROUND_RENT_REVIEW_PERIOD_YEARS');
const sharedPercent = v.decimal('SHARED_OWNERSHIP_PERCENTAGE');
const isShared = v.flag('SHARED_OWNERSHIP');

/** Facts of part A of "material information" that have no separate field. */
export function factsOf(row: BlmRow, context: RecordContext): MaterialFact[] | undefined {
  const facts: MaterialFact[] = [];
  const years = reviewYears.read(row, context);
  if (years !== undefined)
    facts.push({
      partie: 'A',
      sujet: 'Ground rent review period',
      texte: `${years} ${years === 1 ? 'year' : 'years'}`,
    });
  const percent = sharedPercent.read(row, context);
  if (isShared.read(row, context) === true)
    facts.push({ partie: 'A', sujet: 'Shared ownership', texte: percent === undefined ? 'Yes' : `${percent} %` });
  return facts.length === 0 ? undefined : facts;
}

export function* photosOf(row: BlmRow): Generator<PhotoSource> {
  for (const { value, titre } of mediaIn(row, PHOTO_COLUMNS)) {
    const legende = textOf(titre);
    if (legende === undefined || !(FLOOR_PLAN.test(legende) || CERTIFICATE.test(legende))) yield { value, legende };
  }
}

export type Tours = Pick<Listing, 'visiteVirtuelle' | 'video'>;

/** The first tour and the first film: the format has the same columns for both. */
export function toursOf(row: BlmRow, context: RecordContext): Tours {
  const found: Tours = {};
  for (const column of TOUR_COLUMNS) {
    const address = toUrl(row[column]);
    if (address === undefined) {
      if (textOf(row[column]) !== undefined) context.warn('photo_invalid', column, row[column]!.slice(0, 120));
      continue;
    }
    const field = isFilm(address) ? 'video' : 'visiteVirtuelle';
    if (found[field] === undefined) found[field] = address;
    else if (found[field] !== address) context.warn('implausible_value', column, `a second ${field}: ${address}`);
  }
  return found;
}
