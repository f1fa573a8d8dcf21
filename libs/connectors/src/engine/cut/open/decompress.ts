import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { errorCode } from '../../error-code';

export type Compression = 'gzip' | 'br' | 'deflate' | 'deflate-raw';

const CHUNK = { chunkSize: 128 * 1024 };

/** Decompresses a stream. The reader enforces limits: when it stops reading, everything is released. */
export async function* decompress(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncGenerator<Buffer, void, undefined> {
  const transform = transformFor(compression);
  // An error on either side destroys the transform, so the loop below throws it.
  pipeline(Readable.from(chunks), transform, () => undefined);
  for await (const chunk of transform as AsyncIterable<Buffer>) yield chunk;
}

function transformFor(compression: Compression): Transform {
  switch (compression) {
    case 'gzip':
      return createGunzip(CHUNK);
    case 'br':
      return createBrotliDecompress(CHUNK);
    case 'deflate':
      return createInflate(CHUNK);
    case 'deflate-raw':
      return createInflateRaw(CHUNK);
  }
}

/** The fault of the bytes behind an error of `decompress`; undefined when the source stream failed. */
export function compressionFault(error: unknown): 'cut' | 'damaged' | undefined {
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return 'cut';
  return code !== undefined && /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code) ? 'damaged' : undefined;
}
