import { stat, statfs } from 'node:fs/promises';
import type { DiskRoom } from '@passerelle/operations';

/** Room on each disk, once, by the first folder that lies there. A folder that does not exist is left out. */
export async function diskRooms(folders: readonly string[]): Promise<DiskRoom[]> {
  const rooms = new Map<number, DiskRoom>();
  for (const path of folders) {
    try {
      const { dev } = await stat(path);
      const { bavail, blocks, bsize } = await statfs(path);
      if (!rooms.has(dev)) rooms.set(dev, { path, free: bavail * bsize, size: blocks * bsize });
    } catch {
      // Made when it is first written to, or of another program.
    }
  }
  return [...rooms.values()];
}
