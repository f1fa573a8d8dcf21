import type { FeedDocument } from '../../../libs/connectors/src/kit/contracts';

/** Small chunks, so that a record is rarely in one. */
const CHUNK_BYTES = 1_000;

/** Bytes as a part of a feed, in chunks of `nextLength()` bytes whose memory is used again as soon as it may be. */
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
