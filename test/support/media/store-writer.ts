import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenOf } from '../../../libs/media/src/photo-name';
import { openDiskStore } from '../../../libs/media/src/store/disk-store';

/**
 * The program of a process that writes files of the given size until it is killed or the disk is full. On a full disk
 * it prints the error.
 */
async function main(folder: string, bytes: number): Promise<void> {
  const store = openDiskStore(folder);
  try {
    for (;;) {
      const file = randomBytes(bytes);
      await store.put(`${tokenOf(file)}.jpg`, file);
    }
  } catch (error) {
    const { problem, message } = error as { problem: string; message: string };
    const names: string[] = [];
    for await (const { name } of store.list()) names.push(name);
    const drafts = await readdir(join(folder, '.writing'));
    process.stdout.write(JSON.stringify({ problem, message, names, drafts }));
  }
}

const [folder = '', bytes = ''] = process.argv.slice(2);
void main(folder, Number(bytes));
