import { stat, statfs } from 'node:fs/promises';
import type { DiskSpace } from '@passerelle/operations';

/** Free space of each disk, once per disk, named by the first folder on it. Missing folders are left out. */
export async function diskSpaces(folders: readonly string[]): Promise<DiskSpace[]> {
  const spaces = new Map<number, DiskSpace>();
  for (const path of folders) {
    try {
      const { dev } = await stat(path);
      const { bavail, blocks, bsize } = await statfs(path);
      if (!spaces.has(dev)) spaces.set(dev, { path, free: bavail * bsize, size: blocks * bsize });
    } catch {
      // A missing folder is made at the first write, or belongs to another program.
    }
  }
  return [...spaces.values()];
}
