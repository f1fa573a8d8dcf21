import { PieceMemory, recyclePieces } from './piece-memory';

describe('the memory of pieces', () => {
  it('is used again once a piece is given back, and no earlier', () => {
    const memory = new PieceMemory();
    const [first, second] = [memory.take(10), memory.take(20)];
    expect(first.buffer).not.toBe(second.buffer);
    memory.giveBack(first);
    const third = memory.take(600_000);
    expect([first.buffer, second.buffer]).not.toContain(third.buffer);
    expect(memory.take(30).buffer).toBe(first.buffer);
    expect(memory.take(10)).toHaveLength(10);
  });

  it('is overwritten in tests once it is given back', () => {
    const memory = new PieceMemory();
    const piece = memory.take(2).fill('a');
    memory.giveBack(piece);
    expect(piece).toEqual(Buffer.from([0xff, 0xff]));
  });

  it('is never that of buffers from elsewhere', () => {
    const memory = new PieceMemory();
    const small = Buffer.from('[');
    memory.giveBack(small);
    expect(memory.take(1).buffer).not.toBe(small.buffer);
  });
});

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
