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

describe('flatten', () => {
  it('yields the elements of all groups one by one, and skips empty groups', async () => {
    expect(await take(flatten(inGroups([], [1, 2], [], [3], [])))).toEqual([1, 2, 3]);
    expect(isClosed).toBe(true);
  });

  it('reads the elements of a group on demand', async () => {
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

  it('closes the source of the groups when the consumer stops', async () => {
    await take(flatten(inGroups([1, 2], [3])), 1);
    expect(isClosed).toBe(true);
  });

  it('closes the source of the groups when a group fails', async () => {
    const items = flatten(inGroups([1, 2], failing(), [4]));
    await expect(take(items)).rejects.toThrow('the third is the last');
    expect(isClosed).toBe(true);
  });
});
