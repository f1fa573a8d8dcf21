import { LRUCache } from 'lru-cache';
import type { Bucket } from '../store/bucket';
import { decodeIndex, type IndexedListing, type ListIndex, type Piece } from './list-index';
import { indexName, pieceName } from './names';
import { BucketLies, readHashed } from './read-hashed';

/** A list in the bucket: a snapshot of a gateway. */
export interface ListPlace {
  gatewayId: number;
  /** The hash of its index. */
  index: string;
}

const PIECE_CACHE_BYTES = 32 * 1024 * 1024;
/** Each takes some 300 bytes. */
const INDEX_CACHE_LISTINGS = 100_000;

/**
 * Reads lists from the bucket: normalized texts, as they were stored. Whatever comes from it is held against its hash.
 * Every method throws BucketError and BucketLies.
 */
export class ListReader {
  private readonly indexes = new LRUCache<string, ListIndex>({
    maxSize: INDEX_CACHE_LISTINGS,
    sizeCalculation: ({ pieces }) => 1 + pieces.reduce((sum, { listings }) => sum + listings.length, 0),
  });
  private readonly pieces = new LRUCache<string, Buffer>({
    maxSize: PIECE_CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  });
  private readonly loading = new Map<string, Promise<unknown>>();

  constructor(private readonly bucket: Bucket) {}

  /** The texts from `offset` on, at most `limit`, in the list's order. */
  async page(place: ListPlace, offset: number, limit: number): Promise<Buffer[]> {
    const { pieces } = await this.index(place);
    const wanted: Promise<Buffer[]>[] = [];
    let start = 0;
    for (const piece of pieces) {
      const [from, to] = [Math.max(offset - start, 0), offset + limit - start];
      start += piece.listings.length;
      if (from >= piece.listings.length) continue;
      if (to <= 0) break;
      wanted.push(this.textsOf(place, piece).then((texts) => texts.slice(from, to)));
    }
    return (await Promise.all(wanted)).flat();
  }

  /** What is known of each listing without its text, in the list's order. */
  async listings(place: ListPlace): Promise<IndexedListing[]> {
    return (await this.index(place)).pieces.flatMap(({ listings }) => listings);
  }

  /** The texts of the listings with these identifiers, in the list's order. */
  async byIds(place: ListPlace, affIds: ReadonlySet<string>): Promise<Buffer[]> {
    return this.where(place, ({ affId }) => affIds.has(affId));
  }

  /** A listing by `affId`, else the first with that `affNum`; null when there is none. */
  async one(place: ListPlace, id: string): Promise<Buffer | null> {
    const [byId] = await this.byIds(place, new Set([id]));
    if (byId !== undefined) return byId;
    const [byReference] = await this.where(place, ({ affNum }) => affNum === id);
    return byReference ?? null;
  }

  private async where(place: ListPlace, isWanted: (listing: IndexedListing) => boolean): Promise<Buffer[]> {
    const { pieces } = await this.index(place);
    const found = pieces
      .filter(({ listings }) => listings.some(isWanted))
      .map(async (piece) => {
        const texts = await this.textsOf(place, piece);
        return texts.filter((_, at) => isWanted(piece.listings[at]!));
      });
    return (await Promise.all(found)).flat();
  }

  private async textsOf({ gatewayId }: ListPlace, { hash, listings }: Piece): Promise<Buffer[]> {
    const name = pieceName(gatewayId, hash);
    const bytes = this.pieces.get(name) ?? (await this.load(name, () => readHashed(this.bucket, name, hash)));
    this.pieces.set(name, bytes);
    let at = 0;
    const texts = listings.map((listing) => bytes.subarray(at, (at += listing.bytes)));
    if (at !== bytes.length) throw new BucketLies(`the object ${name} has other listings than its index says`);
    return texts;
  }

  private async index({ gatewayId, index: hash }: ListPlace): Promise<ListIndex> {
    const name = indexName(gatewayId, hash);
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    const index = await this.load(name, async () => decodeIndex(await readHashed(this.bucket, name, hash)));
    this.indexes.set(name, index);
    return index;
  }

  /** Readers that want the same at the same time share it. */
  private load<T>(name: string, read: () => Promise<T>): Promise<T> {
    const loading = this.loading.get(name) as Promise<T> | undefined;
    if (loading !== undefined) return loading;
    const reading = read().finally(() => this.loading.delete(name));
    this.loading.set(name, reading);
    return reading;
  }
}
