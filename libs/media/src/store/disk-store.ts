import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, type StoredFile, type StoreProblem } from '@passerelle/bucket';
import { type MediaStore, MediaStoreError } from './media-store';

/** For files that are being written; on the same disk, so that a rename can move them. */
const WRITING = '.writing';
const SUBFOLDER = /^[0-9a-f]{2}$/;

/** Photos in a folder, spread over 256 subfolders by the first two digits of their names. */
export function openDiskStore(folder: string): MediaStore {
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), name);
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw storeError(folder, error);
    }
  };
  return {
    put: (name, bytes) => attempt(() => write(join(folder, WRITING, `${name}.${randomUUID()}`), pathOf(name), bytes)),
    find: (name) => attempt(() => ifThere(() => statFile(pathOf(name), name))),
    read: (name, range) =>
      attempt(() => ifThere(async () => (await open(pathOf(name))).createReadStream({ ...range, emitClose: true }))),
    remove: (name) =>
      attempt(async () => {
        await ifThere(() => unlink(pathOf(name)));
      }),
    async *list() {
      for (const subfolder of (await attempt(() => namesIn(folder))).filter((name) => SUBFOLDER.test(name))) {
        for (const name of await attempt(() => namesIn(join(folder, subfolder)))) {
          const file = await attempt(() => ifThere(() => statFile(pathOf(name), name)));
          if (file !== null) yield file;
        }
      }
    },
    sweep: (olderThan) =>
      attempt(async () => {
        for (const name of await namesIn(join(folder, WRITING))) {
          const path = join(folder, WRITING, name);
          const file = await ifThere(() => statFile(path, name));
          if (file !== null && file.modifiedAt < olderThan) await ifThere(() => unlink(path));
        }
      }),
    publicUrl: () => null,
    close: () => undefined,
  };
}

/** Flushes content and name to the disk before it returns, so that a power failure loses neither. */
async function write(draft: string, path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(draft), { recursive: true });
  await mkdir(dirname(path), { recursive: true });
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
}

async function statFile(path: string, name: string): Promise<StoredFile> {
  const { size, mtime } = await stat(path);
  return { name, bytes: size, modifiedAt: mtime };
}

async function namesIn(folder: string): Promise<string[]> {
  return ((await ifThere(() => readdir(folder))) ?? []).sort();
}

async function ifThere<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const PROBLEMS: Readonly<Record<string, StoreProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
};

function storeError(folder: string, cause: unknown): MediaStoreError {
  const code = codeOf(cause);
  const problem = PROBLEMS[code] ?? 'unavailable';
  const sentences: Readonly<Record<StoreProblem, string>> = {
    full: `the media folder ${folder} is full: make room, or point MEDIA_DIR to another disk`,
    refused: `the media folder ${folder} cannot be used by this account (${code})`,
    unavailable: `the media folder ${folder} cannot be used (${code})`,
  };
  return new MediaStoreError(problem, sentences[problem], { cause });
}
