import { Injectable } from '@nestjs/common';
import { SearchRows } from '@passerelle/database';
import { LRUCache } from 'lru-cache';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { SearchedListing } from './searched-listing';
import { SnapshotIndex } from './snapshot-index';

/**
 * The listings of snapshots in memory, bounded by their size: the least recently searched leave first. A snapshot that comes
 * after one that is here takes over the listings that they share, and reads the others only. Snapshots are read one after the other,
 * so that no more than one is in the making; of those that are larger than the bound, the last one stays.
 */
@Injectable()
export class SnapshotIndexes {
  /** Versions that were read, and that were taken over, since the process started. */
  readonly figures = { read: 0, shared: 0 };
  private readonly indexes: LRUCache<number, SnapshotIndex>;
  private oversized: { id: number; index: SnapshotIndex } | undefined;
  private lastRead: Promise<unknown> = Promise.resolve();
  private readonly loading = new Map<number, Promise<SnapshotIndex>>();
  /** By gateway, the newest snapshot that is or was here. */
  private readonly newest: LRUCache<number, number>;

  constructor(
    private readonly rows: SearchRows,
    private readonly maxBytes: number,
  ) {
    this.indexes = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ size }) => Math.max(1, size) });
    this.newest = new LRUCache({ max: 50_000 });
  }

  /** Searches that come while it is read share it. @throws Error when the snapshot was pruned meanwhile */
  load(snapshot: ServedSnapshot): Promise<SnapshotIndex> {
    const { id, gatewayId } = snapshot;
    const known = this.indexes.get(id) ?? (this.oversized?.id === id ? this.oversized.index : undefined);
    if (known !== undefined) return Promise.resolve(known);
    const loading = this.loading.get(id) ?? this.readInTurn(snapshot).finally(() => this.loading.delete(id));
    this.loading.set(id, loading);
    return loading.then((index) => {
      if (index.size > this.maxBytes) this.oversized = { id, index };
      else this.indexes.set(id, index);
      if (id > (this.newest.get(gatewayId) ?? 0)) this.newest.set(gatewayId, id);
      return index;
    });
  }

  private readInTurn(snapshot: ServedSnapshot): Promise<SnapshotIndex> {
    const reading = this.lastRead.then(() => this.read(snapshot));
    this.lastRead = reading.catch(() => undefined);
    return reading;
  }

  private async read(snapshot: ServedSnapshot): Promise<SnapshotIndex> {
    const versionIds = await this.rows.versionsOf(snapshot);
    const newest = this.newest.get(snapshot.gatewayId);
    const near = this.oversized?.id === newest ? this.oversized?.index : this.indexes.get(newest ?? 0);
    const listings = new Map(near?.listings.map((listing) => [listing.versionId, listing]));
    const missing = versionIds.filter((id) => !listings.has(id));
    await this.rows.load(snapshot.gatewayId, missing, (row) => listings.set(row.versionId, new SearchedListing(row)));
    this.figures.read += missing.length;
    this.figures.shared += versionIds.length - missing.length;
    return new SnapshotIndex(versionIds.map((id) => listings.get(id)!));
  }
}
