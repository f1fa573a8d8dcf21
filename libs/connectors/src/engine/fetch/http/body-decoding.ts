import { BadFeed } from '@passerelle/domain';
import { decompress, type Compression } from '../../cut/open/decompress';

const MAX_LAYERS = 2;

/** Yields chunks until they exceed `maxBytes`. @throws BadFeed */
export async function* limited(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  shown: string,
  onChunk?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    onChunk?.(chunk.length);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BadFeed(`${shown} answered with more bytes than the limit allows`);
    yield chunk;
  }
}

/** Decodes by Content-Encoding. @throws BadFeed for an encoding that the request did not accept. */
export function decodedBody(
  body: AsyncIterable<Buffer>,
  contentEncoding: string | undefined,
  shown: string,
): AsyncIterable<Buffer> {
  const names = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_LAYERS) throw new BadFeed(`${shown} answered in ${names.length} layers of compression`);
  return names.reverse().reduce((chunks, name) => undo(chunks, name, shown), body);
}

function undo(chunks: AsyncIterable<Buffer>, name: string, shown: string): AsyncIterable<Buffer> {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return decompress(chunks, 'gzip');
    case 'br':
      return decompress(chunks, 'br');
    case 'deflate':
      return inflate(chunks);
    default:
      throw new BadFeed(`${shown} answered in an unknown compression`);
  }
}

/** Some servers' "deflate" lacks the zlib header, whose low four bits are always 8. */
async function* inflate(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const compression: Compression = ((first.value[0] ?? 0) & 0x0f) === 8 ? 'deflate' : 'deflate-raw';
  yield* decompress(resumed(first.value, iterator), compression);
}

async function* resumed(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
