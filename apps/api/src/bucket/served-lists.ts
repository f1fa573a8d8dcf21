import { Inject, Injectable } from '@nestjs/common';
import { type Bucket, type ListPlace, ListReader } from '@passerelle/bucket';
import {
  type BodiesForm,
  type Frame,
  type KeptSnapshot,
  KeptSnapshots,
  type ListingFormat,
  type ManifestLine,
  ServedListings,
  type SnapshotOfGateway,
} from '@passerelle/database';
import { PAGES_BUCKET } from '../tokens';
import { BucketGateways } from './bucket-gateways';
import { DatabaseOrBucket } from './database-or-bucket';

const COMMA = Buffer.from(',');

/** The listings of snapshots, from the database, or from the bucket while it does not answer: there are no raw ones there. */
@Injectable()
export class ServedLists {
  private readonly reader: ListReader | null;

  constructor(
    @Inject(PAGES_BUCKET) bucket: Bucket | null,
    private readonly listings: ServedListings,
    private readonly kept: KeptSnapshots,
    private readonly gateways: BucketGateways,
    private readonly database: DatabaseOrBucket,
  ) {
    this.reader = bucket === null ? null : new ListReader(bucket);
  }

  /** As `ServedListings` has it. */
  page(
    snapshot: SnapshotOfGateway,
    format: ListingFormat,
    { offset, limit, form }: { offset: number; limit: number; form: BodiesForm },
  ): Promise<Buffer | null> {
    return this.ask(
      snapshot,
      format,
      () => this.listings.page(snapshot, format, offset, limit, form),
      async (reader, place) => framed(await reader.page(place, offset, limit), form.frame),
    );
  }

  byIds(snapshot: SnapshotOfGateway, format: ListingFormat, affIds: readonly string[]): Promise<string[]> {
    return this.ask(
      snapshot,
      format,
      () => this.listings.byIds(snapshot, format, affIds),
      async (reader, place) => (await reader.byIds(place, new Set(affIds))).map(String),
    );
  }

  one(snapshot: SnapshotOfGateway, id: string): Promise<string | null> {
    return this.ask(
      snapshot,
      'normalized',
      () => this.listings.one(snapshot, 'normalized', id),
      async (reader, place) => (await reader.one(place, id))?.toString() ?? null,
    );
  }

  manifest(snapshot: SnapshotOfGateway): Promise<ManifestLine[]> {
    return this.ask(
      snapshot,
      'normalized',
      () => this.listings.manifest(snapshot),
      async (reader, place) =>
        (await reader.listings(place)).map(({ affId, empreinte, photos }) => [affId, empreinte, photos]),
    );
  }

  /** A snapshot that is not the current one, by its token. */
  find(gatewayId: number, token: string): Promise<KeptSnapshot | null> {
    return this.database.ask(
      () => this.kept.find(gatewayId, token),
      async (bucket) => ({ ...(await this.gateways.snapshotOf(bucket, gatewayId, token)), isReadable: true }),
    );
  }

  private ask<T>(
    snapshot: SnapshotOfGateway,
    format: ListingFormat,
    ofDatabase: () => Promise<T>,
    ofBucket: (reader: ListReader, place: ListPlace) => Promise<T>,
  ): Promise<T> {
    const { reader } = this;
    if (format === 'raw' || reader === null) return this.database.insistOnLists(ofDatabase);
    return this.database.ask(ofDatabase, async (bucket) =>
      ofBucket(reader, await this.gateways.placeOf(bucket, snapshot)),
    );
  }
}

/** The texts with commas between them, within a frame; null for none. */
function framed(texts: readonly Buffer[], { before, after }: Frame): Buffer | null {
  if (texts.length === 0) return null;
  const parts = texts.flatMap((text) => [COMMA, text]).slice(1);
  return Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]);
}
