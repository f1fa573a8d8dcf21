import type { MaterialFact } from '@passerelle/domain';
import type { BlmRow } from '../../formats/blm-rows';
import { toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import { features, type LinkSource, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import {
  codeOf,
  LETTING_FLAGS,
  numbered,
  PHOTO_COLUMNS,
  PRICE_QUALIFIERS,
  TENURES,
  TOUR_COLUMNS,
  UNQUALIFIED,
} from './lookups';

const FEATURE_COLUMNS = numbered('FEATURE', 31);
const FLOOR_PLAN = /^floor[ -]?plans?(?: \d+)?$/i;
const lettingFlags = namesOfYes(LETTING_FLAGS);

export const FEATURES = features<BlmRow>((row) => [
  ...FEATURE_COLUMNS.map((column) => row[column]),
  ...lettingFlags(row),
]);

/** Files of the archive have no address and are omitted. */
function mediaOf(row: BlmRow, family: string): LinkSource[] {
  const texts = numbered(`MEDIA_${family}_TEXT_`, 20);
  return numbered(`MEDIA_${family}_`, 20).map((column, index) => ({ value: row[column], titre: row[texts[index]!] }));
}

/** Older exporters put floor plans among the photos, with a caption that says so. */
export function plansOf(row: BlmRow): LinkSource[] {
  const amongPhotos = PHOTO_COLUMNS.filter(({ caption }) => FLOOR_PLAN.test(textOf(row[caption]) ?? ''));
  return [
    ...mediaOf(row, 'FLOOR_PLAN'),
    ...amongPhotos.map(({ photo, caption }) => ({ value: row[photo], titre: row[caption] })),
  ];
}

/** Brochures, which the format declares public. */
export function documentsOf(row: BlmRow): LinkSource[] {
  return mediaOf(row, 'DOCUMENT');
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
  for (const { photo, caption } of PHOTO_COLUMNS) {
    const value = row[photo];
    if (value === undefined || value === '') continue;
    const legende = textOf(row[caption]);
    // Older exporters put certificates and plans among the photos, with a caption that names them.
    if (legende === undefined || !NOT_A_PHOTO.test(legende)) yield { value, legende };
  }
}

const NOT_A_PHOTO = /^(?:epc\b.*|hip|energy performance certificate.*|floor[ -]?plans?(?: \d+)?)$/i;

export function tourOf(row: BlmRow): string | undefined {
  for (const column of TOUR_COLUMNS) {
    const address = toUrl(row[column]);
    if (address !== undefined) return address;
  }
  return undefined;
}
