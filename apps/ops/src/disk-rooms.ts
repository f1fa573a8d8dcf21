import { stat, statfs } from 'node:fs/promises';
import type { DiskRoom } from '@passerelle/operations';

/** Free space of each disk, once per disk, named by the first folder on it. Missing folders are left out. */
export async function diskRooms(folders: readonly string[]): Promise<DiskRoom[]> {
  const rooms = new Map<number, DiskRoom>();
  for (const path of folders) {
    try {
      const { dev } = await stat(path);
      const { bavail, blocks, bsize } = await statfs(path);
      if (!rooms.has(dev)) rooms.set(dev, { path, free: bavail * bsize, size: blocks * bsize });
    } catch {
      // The folder is made at the first write, or belongs to another program.
    }
  }
  return [...rooms.values()];
}
