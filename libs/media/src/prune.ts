import { parsePhotoName } from './photo-name';
import type { StoredFile } from '@passerelle/bucket';
import type { MediaStore } from './store/media-store';

export interface PruneOptions {
  /** Returns the tokens that a kept snapshot uses. */
  findUsed: (tokens: string[]) => Promise<ReadonlySet<string>>;
  /** Newer photos are kept: a run may be about to publish them. */
  olderThan: Date;
}

export interface Pruned {
  files: number;
  bytes: number;
}

/** The files of one photo in the order of their names: the resized ones first, then the photo. */
interface Family {
  token: string;
  files: StoredFile[];
}

const BATCH = 500;
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** Removes unused photos, and temporary files of killed writers. Keeps other files. */
export async function prune(store: MediaStore, { findUsed, olderThan }: PruneOptions): Promise<Pruned> {
  await store.sweep(new Date(Date.now() - ABANDONED_MS));
  const pruned: Pruned = { files: 0, bytes: 0 };
  for await (const batch of batchesOf(familiesOf(store.list()))) {
    const old = batch.filter(({ files }) => files.every(({ modifiedAt }) => modifiedAt < olderThan));
    if (old.length === 0) continue;
    const used = await findUsed(old.map(({ token }) => token));
    for (const { token, files } of old) {
      if (used.has(token) || (await isUsedAgain(store, files, olderThan))) continue;
      for (const file of files) {
        await store.remove(file.name);
        pruned.files += 1;
        pruned.bytes += file.bytes;
      }
    }
  }
  return pruned;
}

/** Whether a run has stored the photo again while this process checked other photos. */
async function isUsedAgain(store: MediaStore, files: StoredFile[], olderThan: Date): Promise<boolean> {
  const photo = await store.find(files.at(-1)!.name);
  return photo !== null && photo.modifiedAt >= olderThan;
}

async function* familiesOf(files: AsyncIterable<StoredFile>): AsyncGenerator<Family> {
  let family: Family = { token: '', files: [] };
  for await (const file of files) {
    const token = parsePhotoName(file.name)?.token;
    if (token === undefined) continue;
    if (token !== family.token) {
      if (family.files.length > 0) yield family;
      family = { token, files: [] };
    }
    family.files.push(file);
  }
  if (family.files.length > 0) yield family;
}

async function* batchesOf<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
