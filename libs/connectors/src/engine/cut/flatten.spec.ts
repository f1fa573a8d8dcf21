import { flatten } from './flatten';

let isClosed: boolean;

beforeEach(() => {
  isClosed = false;
});

async function* inGroups(...groups: Iterable<number>[]): AsyncGenerator<Iterable<number>, void, undefined> {
  try {
    for (const group of groups) yield await Promise.resolve(group);
  } finally {
    isClosed = true;
  }
}

function* failing(): Generator<number> {
  yield 3;
  throw new Error('the third is the last');
}

async function take(items: AsyncIterable<number>, upTo = Infinity): Promise<number[]> {
  const taken: number[] = [];
  for await (const item of items) {
    taken.push(item);
    if (item === upTo) break;
  }
  return taken;
}

describe('the elements of groups', () => {
  it('comes one by one, empty groups aside', async () => {
    expect(await take(flatten(inGroups([], [1, 2], [], [3], [])))).toEqual([1, 2, 3]);
    expect(isClosed).toBe(true);
  });

  it('are made on demand', async () => {
    const made: number[] = [];
    function* making(): Generator<number> {
      for (const number of [1, 2, 3]) {
        made.push(number);
        yield number;
      }
    }
    expect(await take(flatten(inGroups(making())), 2)).toEqual([1, 2]);
    expect(made).toEqual([1, 2]);
  });

  it('are released when the consumer stops', async () => {
    await take(flatten(inGroups([1, 2], [3])), 1);
    expect(isClosed).toBe(true);
  });

  it('is given back when a group fails', async () => {
    const items = flatten(inGroups([1, 2], failing(), [4]));
    await expect(take(items)).rejects.toThrow('the third is the last');
    expect(isClosed).toBe(true);
  });
});
