import type { NamedSnapshot } from '@passerelle/database';
import { FoundTexts } from './found-texts';

/** A fake store whose texts name their gateway, format and version. */
class Stored {
  readonly reads: (readonly number[])[] = [];

  textsOfVersions({ gatewayId }: NamedSnapshot, ids: readonly number[], format: string): Promise<Buffer[]> {
    this.reads.push(ids);
    return Promise.resolve(ids.map((id) => Buffer.from(`${gatewayId} ${format} ${id}`)));
  }
}

const PLENTY = 1_000_000;

async function found(texts: FoundTexts, ids: number[], gatewayId = 1, format: 'normalized' | 'raw' = 'normalized') {
  return (await texts.load({ gatewayId, id: 1 }, ids, format)).map(String);
}

describe('FoundTexts', () => {
  let stored: Stored;
  let changes: { listenerReconnects: number };

  beforeEach(() => {
    stored = new Stored();
    changes = { listenerReconnects: 0 };
  });

  it('returns texts in the requested order, cached or not', async () => {
    const texts = new FoundTexts(stored, changes, PLENTY);
    await found(texts, [2, 4]);
    expect(await found(texts, [5, 4, 1, 2])).toEqual(['5', '4', '1', '2'].map((id) => `1 normalized ${id}`));
    expect(stored.reads).toEqual([
      [2, 4],
      [5, 1],
    ]);
  });

  it('reads each text only once', async () => {
    const texts = new FoundTexts(stored, changes, PLENTY);
    await found(texts, [1, 2]);
    await found(texts, [2, 1]);
    expect(stored.reads).toHaveLength(1);
  });

  it('keeps the texts of different gateways and formats apart', async () => {
    const texts = new FoundTexts(stored, changes, PLENTY);
    await found(texts, [1]);
    expect(await found(texts, [1], 2)).toEqual(['2 normalized 1']);
    expect(await found(texts, [1], 1, 'raw')).toEqual(['1 raw 1']);
  });

  it('reads texts again after notifications have stopped, because another server may have reassigned their ids', async () => {
    const texts = new FoundTexts(stored, changes, PLENTY);
    await found(texts, [1]);
    changes.listenerReconnects += 1;
    await found(texts, [1]);
    expect(stored.reads).toEqual([[1], [1]]);
  });

  it('evicts the least recently found texts first', async () => {
    const texts = new FoundTexts(stored, changes, 1_200);
    await found(texts, [1]);
    await found(texts, [2]);
    await found(texts, [1]);
    await found(texts, [3]);
    stored.reads.length = 0;
    await found(texts, [1]);
    await found(texts, [2]);
    expect(stored.reads).toEqual([[2]]);
  });

  it('returns all texts even if the cache cannot hold them together', async () => {
    expect(await found(new FoundTexts(stored, changes, 600), [1, 2, 3])).toHaveLength(3);
  });

  it('reads texts again after a failed read', async () => {
    const gone = jest.spyOn(stored, 'textsOfVersions').mockRejectedValueOnce(new Error('pruned'));
    const texts = new FoundTexts(stored, changes, PLENTY);
    await expect(found(texts, [1])).rejects.toThrow('pruned');
    expect(await found(texts, [1])).toEqual(['1 normalized 1']);
    gone.mockRestore();
  });
});
