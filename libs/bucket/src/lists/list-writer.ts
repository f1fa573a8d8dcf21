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

/** A piece that was put, though no index may name it yet. */
interface FinishedPiece {
  hash: string;
  /** Of its texts. */
  lengths: number[];
}

/** By the versions in them. */
export type FinishedPieces = Map<string, FinishedPiece>;

/** A snapshot to be written. */
export interface WrittenList {
  gatewayId: number;
  versions: readonly ListedVersion[];
  /** The texts of these versions, in their order. */
  texts: (versionIds: readonly number[]) => Promise<Buffer[]>;
  /** The index of an earlier snapshot that is kept: what did not change since is not written again. Null for none. */
  before: string | null;
  /** Of an attempt that was broken off; each that is put is added. What is in it must not have been removed since. */
  finished: FinishedPieces;
}

type Part = readonly ListedVersion[];

/** How many pieces are on their way at a time. */
const AT_A_TIME = 4;

/**
 * Writes a snapshot: the pieces that have changed, then its index.
 *
 * @param signal ends the attempt, but not before it has put something: the next one gets further
 * @returns the hash of the index
 * @throws BucketError
 */
export async function writeList(bucket: Bucket, list: WrittenList, signal?: AbortSignal): Promise<string> {
  const { gatewayId, versions, finished } = list;
  const known = await knownPieces(bucket, list);
  const parts = [...piecesOf(versions)];
  const missing = parts.filter((part) => !known.has(nameOf(part)) && !finished.has(nameOf(part)));
  for (let at = 0; at < missing.length; at += AT_A_TIME) {
    if (at > 0) signal?.throwIfAborted();
    await Promise.all(missing.slice(at, at + AT_A_TIME).map((part) => putPiece(bucket, list, part)));
  }
  const pieces = parts.map((part) => known.get(nameOf(part)) ?? pieceOf(part, finished.get(nameOf(part))!));
  const index = await encodeIndex({ pieces });
  const hash = hashOf(index);
  await bucket.put(indexName(gatewayId, hash), index);
  return hash;
}

async function putPiece(bucket: Bucket, { gatewayId, texts, finished }: WrittenList, part: Part): Promise<void> {
  const bodies = await texts(part.map(({ versionId }) => versionId));
  const bytes = Buffer.concat(bodies);
  const hash = hashOf(bytes);
  await bucket.put(pieceName(gatewayId, hash), bytes);
  finished.set(nameOf(part), { hash, lengths: bodies.map(({ length }) => length) });
}

function pieceOf(part: Part, { hash, lengths }: FinishedPiece): Piece {
  return { hash, listings: part.map((version, at) => ({ ...version, bytes: lengths[at]! })) };
}

/** Pieces of the earlier snapshot, by the versions in them. */
async function knownPieces(bucket: Bucket, { gatewayId, before }: WrittenList): Promise<Map<string, Piece>> {
  const index = before === null ? null : await readIndex(bucket, gatewayId, before).catch(() => null);
  return new Map((index?.pieces ?? []).map((piece) => [nameOf(piece.listings), piece]));
}

/** What tells listings that follow each other from all others, also from those of a server that was lost, whose numbers came again. */
function nameOf(versions: readonly ListedVersion[]): string {
  return hashOf(Buffer.from(JSON.stringify(versions.map((one) => [one.versionId, one.empreinte, one.photos]))));
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
