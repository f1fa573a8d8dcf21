import type { Bucket } from '../store/bucket';
import {
  decodeIndex,
  encodeIndex,
  hashOf,
  type ListedVersion,
  type ListIndex,
  type Piece,
  piecesOf,
} from './list-index';
import { indexName, listFolder, pieceName } from './names';
import { readHashed } from './read-hashed';

/** A snapshot to be written. */
export interface WrittenList {
  gatewayId: number;
  versions: readonly ListedVersion[];
  /** The texts of these versions, in their order. */
  texts: (versionIds: readonly number[]) => Promise<Buffer[]>;
  /** The index of an earlier snapshot that is kept: what did not change since is not written again. Null for none. */
  before: string | null;
}

/** How many pieces are on their way at a time. */
const AT_A_TIME = 4;

/**
 * Writes a snapshot: the pieces that have changed, then its index.
 *
 * @returns the hash of the index
 * @throws BucketError
 */
export async function writeList(bucket: Bucket, list: WrittenList, signal?: AbortSignal): Promise<string> {
  const { gatewayId, versions, texts } = list;
  const known = await knownPieces(bucket, list);
  const parts = [...piecesOf(versions)];
  const pieces: Piece[] = [];
  for (let at = 0; at < parts.length; at += AT_A_TIME) {
    signal?.throwIfAborted();
    const some = parts.slice(at, at + AT_A_TIME).map(async (part): Promise<Piece> => {
      const found = known.get(idsOf(part).join());
      if (found !== undefined) return found;
      const bodies = await texts(idsOf(part));
      const bytes = Buffer.concat(bodies);
      const hash = hashOf(bytes);
      await bucket.put(pieceName(gatewayId, hash), bytes);
      return { hash, listings: part.map((version, index) => ({ ...version, bytes: bodies[index]!.length })) };
    });
    pieces.push(...(await Promise.all(some)));
  }
  const index = await encodeIndex({ pieces });
  const hash = hashOf(index);
  await bucket.put(indexName(gatewayId, hash), index);
  return hash;
}

/** Pieces of the earlier snapshot, by the versions in them. */
async function knownPieces(bucket: Bucket, { gatewayId, before }: WrittenList): Promise<Map<string, Piece>> {
  const index = before === null ? null : await readIndex(bucket, gatewayId, before).catch(() => null);
  return new Map((index?.pieces ?? []).map((piece) => [idsOf(piece.listings).join(), piece]));
}

function idsOf(versions: readonly Pick<ListedVersion, 'versionId'>[]): number[] {
  return versions.map(({ versionId }) => versionId);
}

async function readIndex(bucket: Bucket, gatewayId: number, hash: string): Promise<ListIndex> {
  return decodeIndex(await readHashed(bucket, indexName(gatewayId, hash), hash));
}

/**
 * Removes the objects of a gateway that none of these snapshots needs.
 *
 * @param indexes those that are kept; none: everything goes
 * @param olderThan younger objects may belong to a snapshot that is being written
 * @returns how many
 * @throws BucketError, BucketLies where one of the indexes cannot be read: nothing is removed then
 */
export async function removeUnused(
  bucket: Bucket,
  gatewayId: number,
  indexes: readonly string[],
  olderThan: Date,
): Promise<number> {
  const used = new Set<string>();
  for (const hash of indexes) {
    used.add(indexName(gatewayId, hash));
    for (const piece of (await readIndex(bucket, gatewayId, hash)).pieces) used.add(pieceName(gatewayId, piece.hash));
  }
  let removed = 0;
  for await (const { name, modifiedAt } of bucket.list(listFolder(gatewayId))) {
    if (used.has(name) || modifiedAt >= olderThan) continue;
    await bucket.remove(name);
    removed += 1;
  }
  return removed;
}
