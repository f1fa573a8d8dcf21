import { Injectable } from '@nestjs/common';
import { SearchRows } from '@passerelle/database';
import { LRUCache } from 'lru-cache';
import type { GatewayChanges } from '../access/gateway-changes';
import type { ServedSnapshot } from '../properties/served-snapshots';
import { SearchedListing } from './searched-listing';
import { SnapshotIndex } from './snapshot-index';

/** A newer snapshot shares listings with a cached snapshot. Only one snapshot is read and built at a time. */
@Injectable()
export class SnapshotIndexes {
  readonly figures = { read: 0, shared: 0 };
  private readonly indexes: LRUCache<string, SnapshotIndex>;
  private oversized: { name: string; index: SnapshotIndex } | undefined;
  private lastRead: Promise<unknown> = Promise.resolve();
  private readonly loading = new Map<string, Promise<SnapshotIndex>>();
  /** The newest snapshot that is or was cached, by gateway. */
  private readonly newest: LRUCache<number, Newest>;

  constructor(
    private readonly rows: SearchRows,
    private readonly changes: Pick<GatewayChanges, 'listenerReconnects'>,
    private readonly maxBytes: number,
  ) {
    this.indexes = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ size }) => Math.max(1, size) });
    this.newest = new LRUCache({ max: 50_000 });
  }

  /** Concurrent searches share one read. @throws Error when the snapshot was pruned meanwhile */
  load(snapshot: ServedSnapshot): Promise<SnapshotIndex> {
    const name = nameOf(snapshot);
    const known = this.indexes.get(name) ?? (this.oversized?.name === name ? this.oversized.index : undefined);
    if (known !== undefined) return Promise.resolve(known);
    const loading = this.loading.get(name) ?? this.readInTurn(snapshot).finally(() => this.loading.delete(name));
    this.loading.set(name, loading);
    return loading;
  }

  private readInTurn(snapshot: ServedSnapshot): Promise<SnapshotIndex> {
    const reading = this.lastRead.then(() => this.read(snapshot));
    this.lastRead = reading.catch(() => undefined);
    return reading;
  }

  private async read(snapshot: ServedSnapshot): Promise<SnapshotIndex> {
    const { listenerReconnects } = this.changes;
    const versionIds = await this.rows.versionsOf(snapshot);
    const near = this.nearOf(snapshot.gatewayId, listenerReconnects);
    const listings = new Map(near?.listings.map((listing) => [listing.versionId, listing]));
    const missing = versionIds.filter((id) => !listings.has(id));
    await this.rows.load(snapshot, missing, (row) => listings.set(row.versionId, new SearchedListing(row)));
    this.figures.read += missing.length;
    this.figures.shared += versionIds.length - missing.length;
    const index = new SnapshotIndex(versionIds.map((id) => listings.get(id)!));
    this.keep(snapshot, index, listenerReconnects);
    return index;
  }

  /** @param listenerReconnects the number of interruptions when the read of the listings began */
  private keep(snapshot: ServedSnapshot, index: SnapshotIndex, listenerReconnects: number): void {
    const { id, gatewayId } = snapshot;
    const name = nameOf(snapshot);
    if (index.size > this.maxBytes) this.oversized = { name, index };
    else this.indexes.set(name, index);
    const newest = this.newest.get(gatewayId);
    if (
      newest === undefined ||
      newest.listenerReconnects < listenerReconnects ||
      (newest.listenerReconnects === listenerReconnects && id > newest.id)
    )
      this.newest.set(gatewayId, { id, name, listenerReconnects });
  }

  /** The newest snapshot of a gateway, if its version ids come from the server that is still in use. */
  private nearOf(gatewayId: number, listenerReconnects: number): SnapshotIndex | undefined {
    const newest = this.newest.get(gatewayId);
    if (newest?.listenerReconnects !== listenerReconnects || this.changes.listenerReconnects !== listenerReconnects)
      return undefined;
    return this.oversized?.name === newest.name ? this.oversized.index : this.indexes.get(newest.name);
  }
}

interface Newest {
  id: number;
  name: string;
  listenerReconnects: number;
}

function nameOf({ gatewayId, token }: ServedSnapshot): string {
  return `${gatewayId}/${token}`;
}
