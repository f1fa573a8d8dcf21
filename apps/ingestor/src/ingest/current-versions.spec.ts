import type { CurrentVersion } from '@passerelle/database';
import { CurrentVersions } from './current-versions';

const version = (id: number): CurrentVersion => ({
  ...{ id, affId: `A${id}`, scope: '', fill: 0, revision: null },
  recordHash: id.toString(16).padStart(32, '0'),
  contentHash: '',
});

describe('the current versions', () => {
  it('are on their way once they are expected, the first of them', async () => {
    const read: number[] = [];
    async function* batches(): AsyncGenerator<CurrentVersion[]> {
      for (const id of [1, 2, 3]) {
        read.push(id);
        yield await Promise.resolve([version(id)]);
      }
    }
    const current = new CurrentVersions(batches());
    expect(read).toEqual([]);
    current.expect();
    current.expect();
    expect(read).toEqual([1]);
    expect(current.length).toBe(0);
    await current.load();
    expect([0, 1, 2].map((row) => current.affIdOf(row))).toEqual(['A1', 'A2', 'A3']);
    current.expect();
    await current.load();
    expect(current.length).toBe(3);
  });

  it('report a failure to whoever loads them, and to nobody before', async () => {
    const batches: AsyncIterable<CurrentVersion[]> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the database is gone')) }),
    };
    const current = new CurrentVersions(batches);
    current.expect();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(current.load()).rejects.toThrow('the database is gone');
  });
});
