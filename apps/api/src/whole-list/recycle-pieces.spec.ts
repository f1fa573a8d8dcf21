import { recyclePieces } from './recycle-pieces';

describe('pieces under way', () => {
  const TEN = Buffer.alloc(10);

  async function givenBack(unsentAfter: readonly number[]): Promise<number[][]> {
    const given: number[] = [];
    const pieces = unsentAfter.map((_, at) => Buffer.alloc(TEN.length, at));
    const memory = { giveBack: (piece: Buffer) => void given.push(piece[0]!) };
    async function* all(): AsyncGenerator<Buffer> {
      for (const piece of pieces) yield await Promise.resolve(piece);
    }
    const after: number[][] = [];
    let at = -1;
    for await (const piece of recyclePieces(all(), memory, () => unsentAfter[at]!)) {
      if (at >= 0) after.push([...given]);
      at = piece[0]!;
    }
    return [...after, [...given]];
  }

  it('are given back in order when they have left to the last byte', async () => {
    expect(await givenBack([10, 20, 11, 10, 1])).toEqual([[], [], [0], [0, 1, 2], [0, 1, 2, 3]]);
  });

  it('are all given back when nothing is unsent', async () => {
    expect(await givenBack([0, 0])).toEqual([[0], [0, 1]]);
  });

  it('are kept while more is unsent than they have, as the frames of chunks make it', async () => {
    expect(await givenBack([14, 27, 35])).toEqual([[], [], []]);
  });
});
