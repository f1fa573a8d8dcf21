import { createHash } from 'node:crypto';
import { checkDecodes } from './decoder';
import { photoName, tokenOf } from './photo-name';
import { cleanPhoto } from './photo/clean-photo';
import { MAX_FILE_BYTES, PhotoRefused } from './photo/refusals';
import type { PhotoExtension } from './photo/photo';
import type { MediaStore } from './store/media-store';

/** A photo that lies in the store. */
export interface StoredPhoto {
  /** What it is called in the store and in its address. */
  name: string;
  token: string;
  extension: PhotoExtension;
  bytes: number;
  /** As a viewer sees it, in pixels. */
  width: number;
  height: number;
  /** 16 hex digits over the file as it came: another file, another `empreinte`. */
  empreinte: string;
}

export type PhotoBytes = Buffer | AsyncIterable<Buffer>;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Reads a file, cleans it, sees that it can be shown, and stores it.
 *
 * @throws PhotoRefused when the file is no photo that we serve: a warning, never a failed run
 * @throws MediaStoreError when it cannot be stored: nothing that names it may be published
 */
export async function takeIn(store: MediaStore, source: PhotoBytes): Promise<StoredPhoto> {
  const { taken, bytes } = await examine(source);
  await putUnlessFresh(store, taken.name, bytes);
  return taken;
}

/**
 * Does everything but store it.
 *
 * @throws PhotoRefused
 */
export async function examine(source: PhotoBytes): Promise<{ taken: StoredPhoto; bytes: Buffer }> {
  const file = await readAll(source);
  const photo = cleanPhoto(file);
  await checkDecodes(photo);
  const { extension, bytes, width, height } = photo;
  const token = tokenOf(bytes);
  const name = photoName({ token, extension });
  return { taken: { name, token, extension, bytes: bytes.length, width, height, empreinte: empreinteOf(file) }, bytes };
}

/** What was stored long ago is stored anew: that is how pruning knows that somebody needs it again. */
async function putUnlessFresh(store: MediaStore, name: string, bytes: Buffer): Promise<void> {
  const found = await store.find(name);
  const isFresh = found?.bytes === bytes.length && Date.now() - found.modifiedAt.getTime() < DAY_MS;
  if (!isFresh) await store.put(name, bytes);
}

function empreinteOf(file: Buffer): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 16);
}

async function readAll(source: PhotoBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of Buffer.isBuffer(source) ? [source] : source) {
    length += chunk.length;
    if (length > MAX_FILE_BYTES) throw new PhotoRefused('too_large');
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
