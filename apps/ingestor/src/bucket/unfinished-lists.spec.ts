import type { FinishedPieces } from '@passerelle/bucket';
import { UnfinishedLists } from './unfinished-lists';

const KEEP_MS = 1_000;

/** An attempt that puts one piece of so many listings and fails; says how many were put before. */
async function attempt(lists: UnfinishedLists, gatewayId: number, nowMs: number, listings = 1): Promise<number> {
  let before = -1;
  const write = (pieces: FinishedPieces): Promise<never> => {
    before = pieces.size;
    pieces.set(`piece ${before}`, { hash: 'a', lengths: Array.from({ length: listings }, () => 9) });
    return Promise.reject(new Error('it takes too long'));
  };
  await expect(lists.goOn(gatewayId, write, nowMs)).rejects.toThrow('it takes too long');
  return before;
}

describe('lists that could not be written in one attempt', () => {
  it('are gone on with, each by itself, until they are written', async () => {
    const lists = new UnfinishedLists(KEEP_MS);
    expect([await attempt(lists, 1, 0), await attempt(lists, 1, 10), await attempt(lists, 2, 20)]).toEqual([0, 1, 0]);
    expect(await lists.goOn(1, ({ size }) => Promise.resolve(size), 30)).toBe(2);
    expect(await attempt(lists, 1, 40)).toBe(0);
  });

  it('begin anew once their first piece may have been removed', async () => {
    const lists = new UnfinishedLists(KEEP_MS);
    await attempt(lists, 1, 0);
    expect(await attempt(lists, 1, KEEP_MS - 1)).toBe(1);
    expect(await attempt(lists, 1, KEEP_MS)).toBe(0);
  });

  it('are forgotten where they are of too many listings, those of long ago first', async () => {
    const lists = new UnfinishedLists(KEEP_MS);
    for (const gatewayId of [1, 2, 3]) await attempt(lists, gatewayId, 0, 400_000);
    expect(await attempt(lists, 1, 1)).toBe(0);
    expect(await attempt(lists, 3, 1)).toBe(1);
  });
});
