import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, gunzip, gzip } from 'node:zlib';

/** What is known of a listing without its text. */
export interface ListedVersion {
  versionId: number;
  affId: string;
  affNum: string | null;
  empreinte: string;
  /** Of its photos; null without any. */
  photos: string | null;
}

/** A listing in an index: its text lies in a piece. */
export interface IndexedListing extends ListedVersion {
  /** Of its text. */
  bytes: number;
}

/** Listings that follow each other, with their texts laid end to end in one object. */
export interface Piece {
  /** SHA-256 of the object, hexadecimal; its name. */
  hash: string;
  listings: IndexedListing[];
}

/** A snapshot: its pieces in the feed's order. */
export interface ListIndex {
  pieces: Piece[];
}

/** The same bytes in the same order on the way there and back. */
const FORM = 1;
type Row = [number, string, string | null, string, string | null, number];
interface Written {
  form: number;
  pieces: { hash: string; rows: Row[] }[];
}

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The index as it is stored, under the hash of these bytes. */
export function encodeIndex({ pieces }: ListIndex): Promise<Buffer> {
  const written: Written = {
    form: FORM,
    pieces: pieces.map(({ hash, listings }) => ({
      hash,
      rows: listings.map(({ versionId, affId, affNum, empreinte, photos, bytes }): Row => [
        ...([versionId, affId, affNum] as const),
        ...([empreinte, photos, bytes] as const),
      ]),
    })),
  };
  return zip(JSON.stringify(written));
}

/** @param stored bytes whose hash was compared: nobody else has made them */
export async function decodeIndex(stored: Buffer): Promise<ListIndex> {
  const { form, pieces } = JSON.parse((await unzip(stored)).toString()) as Written;
  if (form !== FORM) throw new Error('the index of a list is of a newer release');
  return {
    pieces: pieces.map(({ hash, rows }) => ({
      hash,
      listings: rows.map(([versionId, affId, affNum, empreinte, photos, bytes]) => ({
        ...{ versionId, affId, affNum, empreinte, photos, bytes },
      })),
    })),
  };
}

const LEAST = 16;
const MOST = 128;
/** Of so many listings one ends a piece. */
const ONE_OF = 64;

/**
 * Cuts a list into pieces. Identifiers decide where one ends, so that a listing that comes or goes moves no piece but its own:
 * pages of a fixed size would all be others.
 */
export function* piecesOf<T extends Pick<ListedVersion, 'affId'>>(listings: Iterable<T>): Generator<T[]> {
  let piece: T[] = [];
  for (const listing of listings) {
    piece.push(listing);
    const ends = piece.length >= LEAST && crc32(listing.affId) % ONE_OF === 0;
    if (!ends && piece.length < MOST) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
