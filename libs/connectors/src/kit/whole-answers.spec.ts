import { inGroups, wholeAnswersFor } from './whole-answers';

/** A source with the given number of items per id, which returns at most ten items per request. */
function source(things: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  return {
    asked,
    ask: (group: readonly string[]) => {
      asked.push(group.join());
      const all = group.flatMap((id) => Array<string>(things[id] ?? 0).fill(id));
      return Promise.resolve({ found: all.slice(0, 10), isWhole: all.length <= 10 });
    },
  };
}

const refuse = (): never => {
  throw new Error('too much');
};

it('wholeAnswersFor requests all ids once when their items fit into one answer', async () => {
  const { asked, ask } = source({ a: 3, b: 4 });
  expect((await wholeAnswersFor(['a', 'b'], 5, ask, refuse)).join('')).toBe('aaabbbb');
  expect(asked).toEqual(['a,b']);
});

it('wholeAnswersFor splits the ids into halves when the items do not fit, and keeps the order', async () => {
  const { asked, ask } = source({ a: 8, b: 1, c: 9, d: 0, e: 2 });
  const found = await wholeAnswersFor(['a', 'b', 'c', 'd', 'e'], 5, ask, refuse);
  expect(found.join('')).toBe('aaaaaaaabcccccccccee');
  expect(asked).toEqual(['a,b,c,d,e', 'a,b,c', 'a,b', 'c', 'd,e']);
});

it('wholeAnswersFor leaves the decision to the caller when the answer for a single id is too large', async () => {
  const { ask } = source({ a: 11, b: 1 });
  await expect(wholeAnswersFor(['a', 'b'], 2, ask, refuse)).rejects.toThrow('too much');
  const found = await wholeAnswersFor(['a', 'b'], 2, ask, (id, { found: some }) =>
    Promise.resolve([...some, `${id}!`]),
  );
  expect(found.at(10)).toBe('a!');
});

it('wholeAnswersFor sends no request when there are no ids', async () => {
  const { asked, ask } = source({});
  expect(await wholeAnswersFor([], 5, ask, refuse)).toEqual([]);
  expect(asked).toEqual([]);
});

it.each([
  [[1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]],
  [[], 2, []],
])('inGroups splits %j into groups of %d: %j', (all, size, groups) => {
  expect(inGroups<number>(all, size)).toEqual(groups);
});
