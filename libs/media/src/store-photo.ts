import { createHash } from 'node:crypto';
import { checkDecodes } from './decoder';
import { photoName, tokenOf } from './photo-name';
import { cleanPhoto } from './photo/clean-photo';
import { MAX_FILE_BYTES, PhotoRefused } from './photo/refusals';
import type { CleanPhoto, FileExtension } from './photo/photo';
import type { MediaStore } from './store/media-store';

/** A photo, floor plan or document in the store. */
export interface StoredPhoto {
  name: string;
  token: string;
  extension: FileExtension;
  bytes: number;
  /** As displayed, in pixels; 0 for a PDF. */
  width: number;
  height: number;
  /** The first 16 hexadecimal digits of the original file's hash: a different file has a different `empreinte`. */
  empreinte: string;
}

/** Photos are pictures; floor plans and documents may also be PDFs. */
export type FileKind = 'photo' | 'document';

export type PhotoBytes = Buffer | AsyncIterable<Buffer>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** @throws PhotoRefused: only a warning. @throws MediaStoreError: no listing with this photo may be published */
export async function storePhoto(
  store: MediaStore,
  source: PhotoBytes,
  kind: FileKind = 'photo',
): Promise<StoredPhoto> {
  const { photo, bytes } = await inspectPhoto(source, kind);
  await putUnlessFresh(store, photo.name, bytes);
  return photo;
}

/** Cleans and checks a file, but does not store it. @throws PhotoRefused */
export async function inspectPhoto(
  source: PhotoBytes,
  kind: FileKind = 'photo',
): Promise<{ photo: StoredPhoto; bytes: Buffer }> {
  const file = await readAll(source);
  const { extension, bytes, width, height } =
    kind === 'document' && isPdf(file) ? pdfOf(file) : await cleaned(file, kind);
  const token = tokenOf(bytes);
  const name = photoName({ token, extension });
  return { photo: { name, token, extension, bytes: bytes.length, width, height, empreinte: empreinteOf(file) }, bytes };
}

/** By content, because names and content types are often wrong. */
function isPdf(file: Buffer): boolean {
  return file.toString('latin1', 0, 5) === '%PDF-';
}

/** A PDF is stored as it is. */
function pdfOf(bytes: Buffer): Omit<CleanPhoto, 'extension'> & { extension: FileExtension } {
  return { extension: 'pdf', bytes, width: 0, height: 0 };
}

async function cleaned(file: Buffer, kind: FileKind): Promise<CleanPhoto> {
  try {
    const photo = cleanPhoto(file);
    await checkDecodes(photo);
    return photo;
  } catch (error) {
    if (kind === 'document' && error instanceof PhotoRefused && error.reason === 'not_an_image')
      throw new PhotoRefused('not_a_document', { cause: error });
    throw error;
  }
}

/** Stores a photo again if it was stored long ago: its new time prevents pruning. */
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
