import { recycleChunks } from './recycle-chunks';

describe('recycleChunks', () => {
  const TEN = Buffer.alloc(10);

  async function releasedAfter(unsentAfter: readonly number[]): Promise<number[][]> {
    const released: number[] = [];
    const chunks = unsentAfter.map((_, at) => Buffer.alloc(TEN.length, at));
    const memory = { giveBack: (chunk: Buffer) => void released.push(chunk[0]!) };
    async function* all(): AsyncGenerator<Buffer> {
      for (const chunk of chunks) yield await Promise.resolve(chunk);
    }
    const after: number[][] = [];
    let at = -1;
    for await (const chunk of recycleChunks(all(), memory, () => unsentAfter[at]!)) {
      if (at >= 0) after.push([...released]);
      at = chunk[0]!;
    }
    return [...after, [...released]];
  }

  it('gives each chunk back in order once its last byte was sent', async () => {
    expect(await releasedAfter([10, 20, 11, 10, 1])).toEqual([[], [], [0], [0, 1, 2], [0, 1, 2, 3]]);
  });

  it('gives all chunks back when all bytes were sent', async () => {
    expect(await releasedAfter([0, 0])).toEqual([[0], [0, 1]]);
  });

  it('keeps its chunks while more bytes are unsent than the chunks contain, as with HTTP chunk framing', async () => {
    expect(await releasedAfter([14, 27, 35])).toEqual([[], [], []]);
  });
});
