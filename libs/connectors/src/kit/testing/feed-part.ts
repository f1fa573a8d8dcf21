import type { FeedPart } from '../contracts';

/** Small chunks, so that a record is rarely in one. */
const CHUNK_BYTES = 1_000;

/** Bytes as a part of a feed. */
export function feedPart(content: Buffer | string): FeedPart {
  const bytes = Buffer.from(content as string);
  return {
    name: 'feed',
    // eslint-disable-next-line @typescript-eslint/require-await -- a part is read asynchronously, wherever it lies
    async *open() {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    },
  };
}
