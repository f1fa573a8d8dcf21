import type { CurrentVersion } from '@passerelle/database';
import { type PlainVersion, handOut } from '../../../../test/support/ingest/reused-versions';
import { CurrentVersions } from './current-versions';

const hashOf = (id: number): string => id.toString(16).padStart(32, '0');
const version = (id: number): PlainVersion => ({
  ...{ id, affId: `A${id}`, scope: '', fill: 0, duties: 0, revision: '' },
  ...{ recordHash: hashOf(id), contentHash: hashOf(100 + id) },
});

describe('CurrentVersions', () => {
  it('starts to read as soon as the versions are expected', async () => {
    let takers = 0;
    const current = new CurrentVersions(async (take) => {
      takers += 1;
      await Promise.resolve();
      for (const id of [1, 2, 3]) handOut(version(id), take);
    });
    expect(takers).toBe(0);
    current.expect();
    current.expect();
    expect(takers).toBe(1);
    await current.load();
    expect([0, 1, 2].map((row) => current.affIdOf(row))).toEqual(['A1', 'A2', 'A3']);
    current.expect();
    await current.load();
    expect([current.length, takers]).toEqual([3, 1]);
  });

  it('returns all data of each version, with or without a revision', async () => {
    const read = (take: (version: CurrentVersion) => void): Promise<void> => {
      handOut({ ...version(1), scope: 'S', fill: 7, revision: '2024-05-01' }, take);
      handOut(version(2), take);
      return Promise.resolve();
    };
    const current = new CurrentVersions(read);
    await current.load();
    expect([current.idOf(0), current.scopeOf(0), current.fillOf(0), current.revisionOf(0)]).toEqual([
      ...[1, 'S', 7],
      '2024-05-01',
    ]);
    expect([current.revisionOf(1), current.rowOf('A2'), current.rowOfRecord(hashOf(2))]).toEqual([null, 1, 1]);
    expect([current.hasContent(1, hashOf(102)), current.hasContent(0, hashOf(102))]).toEqual([true, false]);
  });

  it.each(['expected', 'not expected'])(
    'finds a version by the hash of its record unless the version is outdated: %s',
    async (when) => {
      const read = (take: (version: CurrentVersion) => void): Promise<void> => {
        for (const id of [1, 2, 3]) handOut(version(id), take);
        return Promise.resolve();
      };
      const current = new CurrentVersions(read, () => Promise.resolve(new Set([2])));
      if (when === 'expected') current.expect();
      await current.load({} as never);
      expect([1, 2, 3].map((id) => current.rowOfRecord(hashOf(id)))).toEqual([0, undefined, 2]);
      expect(current.hasContent(1, hashOf(102))).toBe(true);
    },
  );

  it('reports a failed read when it is loaded, and not before', async () => {
    const current = new CurrentVersions(() => Promise.reject(new Error('the database is gone')));
    current.expect();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(current.load()).rejects.toThrow('the database is gone');
  });
});
