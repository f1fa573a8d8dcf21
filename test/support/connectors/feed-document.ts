import type { FeedDocument } from '../../../libs/connectors/src/kit/contracts';

/** Small chunks, so that most records span several chunks. */
const CHUNK_BYTES = 1_000;

/**
 * Returns bytes as a document of a feed, in chunks of `nextLength()` bytes. Overwrites each chunk as soon as the
 * contract allows it, so that a test finds code that keeps a chunk too long.
 */
export function feedDocument(content: Buffer | string, nextLength = (): number => CHUNK_BYTES): FeedDocument {
  const bytes = Buffer.from(content as string);
  return {
    name: 'feed',
    // eslint-disable-next-line @typescript-eslint/require-await -- a part is read asynchronously, wherever it lies
    async *open() {
      const given: Buffer[] = [];
      for (let at = 0, length = 0; at < bytes.length; at += length) {
        length = nextLength();
        const chunk = Buffer.from(bytes.subarray(at, at + length));
        if (given.push(chunk) > 2) given.shift()?.fill('#');
        yield chunk;
      }
    },
  };
}
