import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenOf } from './photo-name';
import { prune } from './prune';
import { openDiskStore } from './store/disk-store';
import type { MediaStore } from './store/media-store';
import { makeLocations, type StoreLocations } from '../../../test/support/media/stores';

const DAY_MS = 86_400_000;
const nobody = (): Promise<Set<string>> => Promise.resolve(new Set());

describe('prune', () => {
  let places: StoreLocations;
  let folder: string;
  let store: MediaStore;
  const olderThan = new Date(Date.now() - 7 * DAY_MS);

  beforeAll(async () => {
    places = await makeLocations('disk');
  });

  beforeEach(() => {
    const place = places.next();
    folder = 'folder' in place ? place.folder : '';
    store = openDiskStore(folder);
  });

  afterAll(async () => {
    await places.remove();
  });

  const put = async (name: string, ageDays: number): Promise<void> => {
    await store.put(name, Buffer.from(name));
    await age(join(folder, name.slice(0, 2), name), ageDays);
  };
  const age = async (path: string, days: number): Promise<void> => {
    const then = new Date(Date.now() - days * DAY_MS);
    await utimes(path, then, then);
  };
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    return found;
  };
  const tokens = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => tokenOf(Buffer.from(String(index)))).sort();

  it('checks all old photos in batches, and keeps the used photos', async () => {
    const all = tokens(1_100);
    for (const token of all) await put(`${token}.jpg`, 8);
    const used = new Set(all.filter((_, index) => index % 3 === 0));
    const batches: number[] = [];

    const pruned = await prune(store, {
      olderThan,
      findUsed: (asked) => {
        batches.push(asked.length);
        return Promise.resolve(used);
      },
    });

    expect(batches).toEqual([500, 500, 100]);
    expect(pruned.files).toBe(1_100 - used.size);
    expect(await names()).toEqual([...used].map((token) => `${token}.jpg`));
  });

  it('keeps photos that were stored or resized within the last week', async () => {
    const [old, young, shown] = tokens(3);
    await put(`${old}.pdf`, 8);
    await put(`${young}.pdf`, 6);
    await put(`${old}.jpg`, 8);
    await put(`${young}.jpg`, 6);
    await put(`${shown}.jpg`, 8);
    await put(`${shown}-320.webp`, 1);

    await prune(store, { olderThan, findUsed: nobody });

    expect(await names()).toEqual([`${young}.jpg`, `${young}.pdf`, `${shown}-320.webp`, `${shown}.jpg`].sort());
  });

  it('keeps a photo that a run stores again during pruning', async () => {
    const [token] = tokens(1);
    await put(`${token}.jpg`, 8);

    await prune(store, {
      olderThan,
      findUsed: async () => {
        await put(`${token}.jpg`, 0);
        return new Set<string>();
      },
    });

    expect(await names()).toEqual([`${token}.jpg`]);
  });

  it('keeps files that the gateway did not write', async () => {
    await put(`${tokens(1)[0]}.jpg`, 8);
    await writeFile(join(folder, 'README.txt'), 'mine');
    await age(join(folder, 'README.txt'), 99);

    await prune(store, { olderThan, findUsed: nobody });

    expect(await readdir(folder)).toContain('README.txt');
  });

  it('removes the temporary file of a writer that was killed more than a day ago', async () => {
    await put(`${tokens(1)[0]}.jpg`, 0);
    await writeFile(join(folder, '.writing', 'half'), 'half');
    await age(join(folder, '.writing', 'half'), 2);

    await prune(store, { olderThan, findUsed: nobody });

    expect(await readdir(join(folder, '.writing'))).toEqual([]);
  });
});
