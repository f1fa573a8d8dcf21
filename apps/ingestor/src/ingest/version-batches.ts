import type { NewVersion } from '@passerelle/database';
import { NOT_STORED, type Placement } from './placement';
import type { QueryChange } from './photo-queries';
import { compareAddresses, type ReadTexts, type Renewable } from './renewed-addresses';

export interface VersionStore {
  /** @returns the ids of the versions, in the same order. */
  addVersions(versions: readonly NewVersion[]): Promise<number[]>;
  dropVersions(versionIds: readonly number[]): Promise<void>;
}

interface PendingVersion {
  row: number;
  position: number;
  version: NewVersion;
}

export interface VersionEvents {
  /** Only signatures are new, so the listing keeps its version. */
  onRenewed(row: number, version: NewVersion): void;
  /** The queries of a changed listing's files, compared with the current ones. */
  onQueries(row: number, change: QueryChange): void;
}

type PendingChange = PendingVersion & Renewable;

const BATCH_LISTINGS = 200;
const BATCH_BYTES = 2_000_000;

export class VersionBatches {
  private batch: PendingVersion[] = [];
  private batchBytes = 0;
  /** The last two batches that were begun: they are stored one after the other. */
  private storingEarlier: Promise<void> = Promise.resolve();
  private storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly placement: Placement,
    private readonly store: VersionStore,
    private readonly readTexts: ReadTexts,
    private readonly events: VersionEvents,
  ) {}

  /** Adds a version to the batch. Returns a promise only if the version fills the batch. */
  add(pending: PendingVersion): Promise<void> | undefined {
    this.batch.push(pending);
    this.batchBytes += pending.version.normalized.length + pending.version.raw.length;
    const isFull = this.batch.length >= BATCH_LISTINGS || this.batchBytes >= BATCH_BYTES;
    return isFull ? this.flush() : undefined;
  }

  async complete(): Promise<void> {
    await this.flush();
    await this.storing;
  }

  async dropOrphans(): Promise<void> {
    const { orphans } = this.placement;
    if (orphans.length > 0) await this.store.dropVersions(orphans);
  }

  /** One batch is stored while another waits: otherwise PostgreSQL and the reader would alternately wait. */
  private async flush(): Promise<void> {
    await this.storingEarlier;
    const batch = this.batch.filter(({ row, position }) => this.placement.order.positionOf(row) === position);
    this.batch = [];
    this.batchBytes = 0;
    if (batch.length === 0) return;
    this.storingEarlier = this.storing;
    this.storing = this.storing.then(() => this.storeBatch(batch));
    // The next batch waits for this promise and gets the failure. Until then the failure must not count as unhandled.
    this.storing.catch(() => undefined);
  }

  private async storeBatch(batch: readonly PendingVersion[]): Promise<void> {
    const changes = this.changesOf(batch);
    const changed = changes.length === 0 ? batch : await this.withoutRenewed(batch, changes);
    if (changed.length === 0) return;
    const ids = await this.store.addVersions(changed.map(({ version }) => version));
    changed.forEach(({ row, position }, index) => {
      this.placement.setStored(row, position, ids[index] ?? NOT_STORED);
    });
  }

  private changesOf(batch: readonly PendingVersion[]): readonly PendingChange[] {
    const { current } = this.placement;
    return batch.flatMap((one) =>
      this.placement.isInCurrent(one.row) ? [{ ...one, currentId: current.idOf(one.row) }] : [],
    );
  }

  /** Leaves out versions in which only signatures are new: their listings keep their current versions. */
  private async withoutRenewed(
    batch: readonly PendingVersion[],
    changes: readonly PendingChange[],
  ): Promise<readonly PendingVersion[]> {
    const compared = await compareAddresses(changes, this.readTexts);
    for (const [{ row }, change] of compared.queries) this.events.onQueries(row, change);
    const renewed = new Set<number>();
    for (const { row, position, version } of compared.renewed) {
      renewed.add(row);
      if (this.placement.setCurrent(row, position)) this.events.onRenewed(row, version);
    }
    return renewed.size === 0 ? batch : batch.filter(({ row }) => !renewed.has(row));
  }
}

/** Stores nothing, for dry runs. Its versions get the ids -1, -2 and so on. */
export function discardingStore(): VersionStore {
  let lastId = 0;
  return {
    addVersions: (versions) => Promise.resolve(versions.map(() => (lastId -= 1))),
    dropVersions: () => Promise.resolve(),
  };
}
