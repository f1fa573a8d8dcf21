import type { Listing } from '@passerelle/domain';
import type { MappedListing } from '../../kit/contracts';
import type { SeriesOfRecord } from '../../kit/photo-series';
import type { RecordOutcome } from '../contracts';
import type { FinishedListing } from './finished-listing';

type Listed = Extract<RecordOutcome, { kind: 'listing' }>;

/** A parsed and mapped record whose photo files are not resolved yet. */
export type PreparedRecord =
  | { kind: 'over'; outcome: Extract<RecordOutcome, { kind: 'rejected' | 'withdrawn' }> }
  | {
      kind: 'listing';
      listing: MappedListing;
      raw: Record<string, unknown>;
      scope: string;
      revision: string | undefined;
      /** The data for finding the record's photo files by their names. */
      series: SeriesOfRecord | undefined;
    };

const LONGEST_TEXT = 200;
const MOST_ITEMS = 50;
const MOST_DEPTH = 20;

/** A parsed record whose texts and lists are cut short: its id stays the same, and mapping it takes almost no time. */
export function shortened<T>(value: T, depth = 0): T {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT) as T & string;
  if (typeof value !== 'object' || value === null || depth === MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((one: unknown) => shortened(one, depth + 1)) as T;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    shortened(member, depth + 1),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Turns file contents from another thread into `Buffer`s again. */
export function withFileContents(prepared: PreparedRecord): PreparedRecord {
  if (prepared.kind !== 'listing') return prepared;
  const { photos, plans = [], documents = [] } = prepared.listing;
  for (const one of [...photos, ...plans, ...documents]) {
    if ('file' in one && one.content !== undefined) one.content = Buffer.from(one.content);
  }
  return prepared;
}

/** Whether no photo, floor plan or document is a file. */
export function hasOnlyAddresses(listing: MappedListing): listing is Listing {
  const { photos, plans, documents } = listing;
  return !photos.some(isFile) && plans?.some(isFile) !== true && documents?.some(isFile) !== true;
}

function isFile(one: object): boolean {
  return 'file' in one;
}

export function idOf(outcome: RecordOutcome): string | undefined {
  return outcome.kind === 'listing' || outcome.kind === 'withdrawn' ? outcome.affId : undefined;
}

/** The outcome of a record that became a listing. Built member by member, because spreading takes ten times as long. */
export function listed(
  finished: FinishedListing,
  { position, hash, scope, revision }: Pick<Listed, 'position' | 'hash' | 'scope' | 'revision'>,
  photoFiles: Listed['photoFiles'],
): Listed {
  return {
    kind: 'listing',
    position,
    hash,
    scope,
    revision,
    affId: finished.affId,
    affNum: finished.affNum,
    fill: finished.fill,
    duties: finished.duties,
    contentHash: finished.contentHash,
    empreinte: finished.empreinte,
    photosEmpreinte: finished.photosEmpreinte,
    normalized: finished.normalized,
    raw: finished.raw,
    searchFields: finished.searchFields,
    searchWords: finished.searchWords,
    ...(photoFiles !== undefined && { photoFiles }),
  };
}
