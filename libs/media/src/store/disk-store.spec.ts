import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenOf } from '../photo-name';
import { openDiskStore } from './disk-store';

const WRITER = ['--import', 'tsx', join(__dirname, '../../../../test/support/media/store-writer.ts')];
const photo = Buffer.from('photo');
const name = `${tokenOf(photo)}.jpg`;

/** Mounts a disk of one megabyte for one process; it disappears with the process. */
const SMALL_DISK = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"'];
const itOnSmallDisk = spawnSync('unshare', [...SMALL_DISK, tmpdir(), 'true']).status === 0 ? it : it.skip;

describe('the store on disk', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('lists no partial file when a writer is killed', async () => {
    const bytes = 32_000_000;
    const writer = spawn(process.execPath, [...WRITER, folder, String(bytes)], { stdio: 'inherit' });
    const ended = once(writer, 'exit');
    await stopInTheMiddle(writer, folder, bytes);
    writer.kill('SIGKILL');
    await ended;

    expect((await draftSizes(folder)).filter((size) => size < bytes)).toHaveLength(1);
    const store = openDiskStore(folder);
    for await (const file of store.list()) {
      const content = await readFile(join(folder, file.name.slice(0, 2), file.name));
      expect(`${createHash('sha256').update(content).digest('hex')}.jpg`).toBe(file.name);
    }
  });

  it('removes old temporary files of killed writers, but not new ones', async () => {
    const store = openDiskStore(folder);
    await store.put(name, photo);
    const [old, young] = [join(folder, '.writing', 'old'), join(folder, '.writing', 'young')];
    await Promise.all([writeFile(old, 'half'), writeFile(young, 'half')]);
    await utimes(old, new Date(1_000), new Date(1_000));

    await store.sweep(new Date(Date.now() - 60_000));

    expect(await readdir(join(folder, '.writing'))).toEqual(['young']);
    expect(await store.find(name)).not.toBeNull();
  });

  itOnSmallDisk('reports a full disk in one sentence, and keeps the stored files', () => {
    const command = [...SMALL_DISK, folder, process.execPath, ...WRITER, folder, '300000'];

    const { problem, message, names, drafts } = JSON.parse(execFileSync('unshare', command).toString()) as never;

    expect([problem, message]).toEqual([
      'full',
      `the media folder ${folder} is full: make room, or point MEDIA_DIR to another disk`,
    ]);
    expect(names).toHaveLength(3);
    expect(drafts).toEqual([]);
  });

  it('explains in one sentence that the folder cannot be used', async () => {
    await writeFile(join(folder, 'file'), '');
    const store = openDiskStore(join(folder, 'file', 'media'));

    await expect(store.put(name, photo)).rejects.toMatchObject({
      name: 'MediaStoreError',
      problem: 'unavailable',
      message: `the media folder ${folder}/file/media cannot be used (ENOTDIR)`,
    });
  });

  it('creates a missing folder', async () => {
    const store = openDiskStore(join(folder, 'a', 'b'));
    expect(await store.find(name)).toBeNull();

    await store.put(name, photo);

    expect(await readFile(join(folder, 'a', 'b', name.slice(0, 2), name), 'utf8')).toBe('photo');
  });

  it('keeps reading a file that is removed in the meantime', async () => {
    const store = openDiskStore(folder);
    const large = Buffer.alloc(3_000_000, 'x');
    await store.put(name, large);

    const stream = await store.read(name);
    await store.remove(name);

    expect((await buffer(stream!)).equals(large)).toBe(true);
  });
});

/** Stops the process after it has written a part of a file. */
async function stopInTheMiddle(writer: ChildProcess, folder: string, bytes: number): Promise<void> {
  for (;;) {
    writer.kill('SIGSTOP');
    if ((await draftSizes(folder)).some((size) => size > 0 && size < bytes)) return;
    writer.kill('SIGCONT');
    await sleep(3);
  }
}

async function draftSizes(folder: string): Promise<number[]> {
  const drafts = await readdir(join(folder, '.writing')).catch(() => []);
  return Promise.all(drafts.map(async (draft) => (await stat(join(folder, '.writing', draft))).size));
}
