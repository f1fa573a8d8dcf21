import { createHash } from 'node:crypto';
import type { Database, ListingChange, NewVersion, RemovalReason } from '@passerelle/database';
import { type Listing, noFigures, searchEntryOf } from '@passerelle/domain';

/** A listing to publish. Its texts are generated from its members. */
export interface ListedListing {
  affId: string;
  affNum?: string;
  /** A text in `normalized`. */
  intitule?: string;
  /** A text that occurs only in `raw`. */
  note?: string;
  photos?: string[];
  /** Additional members of `normalized`. */
  fields?: Readonly<Record<string, unknown>>;
  /** Whether to store the listing without a search entry, as releases without search did. */
  isOld?: boolean;
}

export interface PublishOptions {
  /** The reasons why missing listings were removed; default: `absent`. */
  reasons?: Readonly<Record<string, RemovalReason>>;
  /** Whether an operator's approval overrules the gate. */
  forced?: boolean;
}

interface StoredListing {
  versionId: number;
  text: string;
}

/** Publishes lists of one gateway with the ingestor's runs, leases and snapshot writer, but without a feed. */
export class PublishedLists {
  private current: { snapshotId: number | null; stored: Map<string, StoredListing> } = {
    snapshotId: null,
    stored: new Map(),
  };

  private constructor(
    private readonly database: Database,
    readonly gatewayId: number,
  ) {}

  static async of(database: Database, client: string, keyHash: Buffer = Buffer.alloc(32)): Promise<PublishedLists> {
    const gatewayId = await database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example/a.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: keyHash, prefix: 'psr_x' },
    );
    return new PublishedLists(database, gatewayId);
  }

  /** @returns the id of the new current snapshot */
  async publish(list: readonly ListedListing[], options: PublishOptions = {}): Promise<number> {
    const { database, gatewayId } = this;
    await database.runRequests.request({ gatewayId, trigger: 'ops' });
    const fence = await database.leases.acquire(gatewayId, 'a test', 60);
    const run = fence === null ? null : await database.runs.claim(gatewayId, fence);
    if (run === null) throw new Error('there was nothing to claim');
    const before = this.current;
    const { stored } = before;
    const writer = database.snapshots.writer(gatewayId, run.id);
    const fresh = list.filter((listing) => stored.get(listing.affId)?.text !== textOf(listing));
    const ids = fresh.length === 0 ? [] : await writer.addVersions(fresh.map(versionOf));
    const after = new Map(list.map(({ affId }) => [affId, stored.get(affId)]));
    fresh.forEach((listing, at) => {
      after.set(listing.affId, { versionId: ids[at] ?? NaN, text: textOf(listing) });
    });
    const known = new Map([...after].map(([affId, one]) => [affId, one ?? { versionId: NaN, text: '' }]));
    const changes: ListingChange[] = fresh.map(({ affId }) => {
      const previousVersionId = stored.get(affId)?.versionId ?? null;
      const kind = previousVersionId === null ? 'added' : 'changed';
      return { kind, affId, versionId: known.get(affId)?.versionId ?? null, previousVersionId, reason: null };
    });
    for (const [affId, { versionId }] of stored) {
      if (known.has(affId)) continue;
      const reason = options.reasons?.[affId] ?? 'absent';
      changes.push({ kind: 'removed', affId, versionId: null, previousVersionId: versionId, reason });
    }
    const versionIds = list.map(({ affId }) => known.get(affId)?.versionId ?? NaN);
    const snapshotId = await writer.finish(versionIds, changes);
    await database.snapshots.publish({
      ...{ runId: run.id, gatewayId, fence: run.fence, snapshotId, baseSnapshotId: before.snapshotId },
      figures: noFigures(),
      feedMemory: {},
      ...(options.forced === true && { overruled: { reasonCode: 'forced', reason: 'forced', verdict: [] } }),
    });
    await database.leases.release(gatewayId, run.fence);
    this.current = { snapshotId, stored: known };
    return snapshotId;
  }
}

/** The normalized text of a listing as stored and served. */
export function normalizedOf({ affId, affNum, intitule, photos = [], fields = {} }: ListedListing): string {
  const shown = photos.map((name) => ({ url: `https://photos.example/${name}`, empreinte: shortHash(name) }));
  return JSON.stringify({ affId, affNum, intitule, photos: shown, ...fields });
}

/** The first 16 hex digits of SHA-256. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function rawOf({ affId, note }: ListedListing): string {
  return JSON.stringify({ id: affId, note });
}

/** The search entry that the ingestor stores for a listing. */
export function searchOf(normalized: string): NonNullable<NewVersion['search']> {
  const { fields, words } = searchEntryOf(JSON.parse(normalized) as Listing);
  return { fields: Buffer.from(fields), words };
}

function textOf(listing: ListedListing): string {
  return normalizedOf(listing) + rawOf(listing);
}

function versionOf(listing: ListedListing): NewVersion {
  const { affId, affNum = null, photos = [] } = listing;
  const normalized = normalizedOf(listing);
  return {
    ...{ affId, affNum, scope: '', recordHash: '', contentHash: shortHash(textOf(listing)), revision: null, fill: 0 },
    empreinte: shortHash(normalized),
    photosEmpreinte: photos.length === 0 ? null : shortHash(photos.map(shortHash).join('')),
    ...{ normalized: Buffer.from(normalized), raw: Buffer.from(rawOf(listing)) },
    ...(listing.isOld !== true && { search: searchOf(normalized) }),
  };
}
