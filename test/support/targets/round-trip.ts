import { join } from 'node:path';
import type { Listing, ListingField } from '@passerelle/domain';
import { loadConnector } from '../../../libs/connectors/src/engine/registry';
import type { PlacementConfig, Target } from '../../../libs/exporters/src/kit/contracts';
import { readRecords } from '../connectors/read-records';
import type { FeedSurroundings } from '../connectors/recording-context';
import { contextFor, documentOf, itemOf } from './placements';

const SOURCES = join(__dirname, '..', '..', '..', 'libs', 'connectors', 'src', 'sources');

/** Why a field is not read back as it was, and what is read instead. */
export interface Difference {
  why: string;
  /** The value that our connector reads from the export of this listing; undefined for none. Default: the same value. */
  reads?: (listing: Listing) => unknown;
  /** The part of the value that the format carries; applied to the listing and to what is read. */
  as?: (value: never) => unknown;
}

export type Differences = Partial<Record<ListingField, Difference>>;

export interface RoundTrip {
  target: Target;
  /** The code of the connector that reads the format. */
  connector: string;
  listings: readonly Listing[];
  differences: Differences;
  /** Gives a listing what the target requires, so that each of them is an advert that is really sent. Default: as it is. */
  fit?: (listing: Listing) => Listing;
  placement?: Partial<PlacementConfig>;
  /** The gateway of the connector, for adverts in a language. */
  surroundings?: (language: string) => FeedSurroundings;
  /** The `affId` that the connector gives the advert of a listing. Default: the same. */
  affIdOf?: (listing: Listing) => string;
}

/** One line for each field that was read back with another value than expected; empty when all is well. */
export async function roundTripProblems(trip: RoundTrip): Promise<string[]> {
  const { target, differences, affIdOf = ({ affId }) => affId, fit = (listing) => listing } = trip;
  const all = trip.listings.map(fit);
  const problems: string[] = [];
  const connector = loadConnector(trip.connector, SOURCES);
  // A placement has one language; adverts of other languages have placements of their own.
  for (const language of new Set(all.map(({ langue = 'fr' }) => langue))) {
    const listings = all.filter(({ langue = 'fr' }) => langue === language);
    const context = contextFor(target, { ...trip.placement, language });
    const document = documentOf(target, listings.map(itemOf), context);
    const { records } = await readRecords(connector, document, trip.surroundings?.(language));
    const read = new Map(
      records.flatMap((record) => ('listing' in record ? [[record.listing.affId, record.listing]] : [])),
    );
    if (records.length !== listings.length) problems.push(`${records.length} records for ${listings.length} listings`);
    for (const listing of listings) {
      for (const { field, need } of target.shortfalls(itemOf(listing), context))
        problems.push(`${listing.affId}: ${field} ${need}, so it is not sent`);
      const back = read.get(affIdOf(listing));
      if (back === undefined) {
        problems.push(`${listing.affId}: not read back`);
        continue;
      }
      for (const field of target.fields) {
        if (field === 'affId') continue;
        const { reads, as = same } = (differences[field] ?? {}) as {
          reads?: Difference['reads'];
          as?: (value: unknown) => unknown;
        };
        const [expected, got] = [reads === undefined ? listing[field] : reads(listing), back[field]].map((value) =>
          value === undefined || value === ''
            ? undefined
            : as(WITH_FILES.has(field) ? withoutVersions(value as Listing['photos']) : value),
        );
        if (JSON.stringify(expected) !== JSON.stringify(got))
          problems.push(
            `${listing.affId}: ${field} ${show(listing[field])} is read as ${show(got)}, expected ${show(expected)}`,
          );
      }
    }
  }
  return problems;
}

function show(value: unknown): string {
  return (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, 300);
}

function same(value: unknown): unknown {
  return value;
}

const WITH_FILES: ReadonlySet<ListingField> = new Set<ListingField>(['photos', 'plans', 'documents']);

/** Files without the `empreinte`, which a connector makes from the address, and without the version in the address. */
function withoutVersions(files: readonly { url: string; legende?: string; titre?: string }[]): unknown {
  return files.map(({ url, legende, titre }) => ({
    url: url.replace(/[?&]v=[0-9a-f]{16}(?=$|#)/, ''),
    legende,
    titre,
  }));
}
