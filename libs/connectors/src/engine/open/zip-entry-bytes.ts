import { crc32 } from 'node:zlib';
import { BadFeed } from '@passerelle/domain';
import { compressionFault, decompress } from '../decompress';
import type { ZipEntry } from './zip-directory';

/**
 * The bytes of an entry, as a stream that never gives more than the directory promised.
 *
 * @throws BadFeed at the point where the bytes turn out cut, damaged, or another number than promised. Until then
 * bytes have been given out: what was made of them must not be published.
 */
export async function* zipEntryBytes(entry: ZipEntry): AsyncGenerator<Buffer, void, undefined> {
  const name = JSON.stringify(entry.name);
  const compressed = once(entry.compressedBytes());
  let sizeBytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of entry.isDeflated ? decompress(compressed, 'deflate-raw') : compressed) {
      sizeBytes += chunk.length;
      if (sizeBytes > entry.sizeBytes) throw new BadFeed(`the archive's entry ${name} is larger than it says`);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    const fault = compressionFault(error);
    if (fault === undefined) throw error;
    throw new BadFeed(`the archive's entry ${name} is ${fault}`, { cause: error });
  }
  if (sizeBytes < entry.sizeBytes) throw new BadFeed(`the archive's entry ${name} is cut`);
  if (checksum !== entry.crc32) throw new BadFeed(`the archive's entry ${name} is damaged: its checksum is wrong`);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  await Promise.resolve();
  if (bytes.length > 0) yield bytes;
}
