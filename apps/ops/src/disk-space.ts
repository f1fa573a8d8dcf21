import { stat, statfs } from 'node:fs/promises';
import type { DiskSpace } from '@passerelle/operations';

/** The free space of each disk, named by the first folder on that disk. Ignores missing folders. */
export async function diskSpaces(folders: readonly string[]): Promise<DiskSpace[]> {
  const spaces = new Map<number, DiskSpace>();
  for (const path of folders) {
    try {
      const { dev } = await stat(path);
      const { bavail, blocks, bsize } = await statfs(path);
      if (!spaces.has(dev)) spaces.set(dev, { path, free: bavail * bsize, size: blocks * bsize });
    } catch {
      // The first write creates a missing folder, or another program uses it.
    }
  }
  return [...spaces.values()];
}
