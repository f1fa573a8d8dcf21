import { PageLog } from './page-log';
import { choicesOf } from '../../../../../../test/support/connectors/choices';
import { MovingList, TOTALS } from '../../../../../../test/support/connectors/moving-list';

/**
 * Logs walks that are written page by page, as `ab/cd`. A leading `+` means that the page begins with the last record
 * of the previous page, `++` with the last two; a number after the page is the declared total (`ab:4/cd:5`); a `|`
 * marks a complete walk.
 */
function logOf(...walks: string[]): PageLog {
  const log = new PageLog();
  for (const walk of walks) {
    log.startWalk();
    for (const page of walk.replace('|', '').split('/')) {
      const [ids = '', declared] = page.split(':');
      log.add(ids.replaceAll('+', '').split(''), {
        overlaps: ids.lastIndexOf('+') + 1,
        declared: declared === undefined ? undefined : Number(declared),
      });
    }
    if (walk.endsWith('|')) log.endWalk();
  }
  return log;
}

/** The list that the walks prove, as text. */
function proven(...walks: string[]): string | undefined {
  const log = logOf(...walks);
  const whole = log.findWhole();
  if (whole === undefined) return undefined;
  const pages = walks.flatMap((walk) => walk.replaceAll(/[+|]|:\d+/g, '').split('/'));
  return [...whole].map(([page, positions]) => [...positions].map((at) => pages[page]![at]!).join('')).join('');
}

describe('PageLog', () => {
  it.each<[string, string[], string | undefined]>([
    ['one page, which is the last', ['abc|'], 'abc'],
    ['one page, after which the walk failed', ['abc'], undefined],
    ['a page that contains one record twice', ['aba|'], 'aba'],
    ['several pages, read once', ['ab/cd|'], undefined],
    ['several pages, read again up to the last page', ['ab/+bcd/+de|', 'ab/+bcd'], 'abcde'],
    ['several pages that share no records', ['ab/cd/e|', 'ab/cd/e|'], undefined],
    ['several pages, with one that shares no records', ['ab/+bcd/e|', 'ab/+bcd/e|'], undefined],
    ['several pages when only some were read again', ['ab/+bcd/+de|', 'ab'], undefined],
    ['several pages whose records changed order', ['ab/+bcd/+de|', 'ea/+abc/+cd|'], undefined],
    ['pages that declare too low a count', ['ab:3/+bcd:3/+de:3|', 'ab:3/+bcd:3'], 'abcde'],
    ['a declared count on the first page only', ['ab:4/+bcd|', 'ab:4'], 'abcd'],
    ['a deletion that hides a record', ['ab/+de|', 'bc/+cde|'], undefined],
    ['a deletion that hides a record, one walk later', ['ab/+de|', 'bc/+cde|', 'bc'], 'bcde'],
    [
      'a deletion and an insertion that leave the declared count unchanged',
      ['ab:4/+bde:4|', 'bc:4/+cde:4|'],
      undefined,
    ],
    ['a record that is on two pages', ['ab/+bca|', 'ab/+bca|'], undefined],
    ['a record that is on two pages in the second walk', ['ab/+bcd|', 'ab/+bda|'], undefined],
    ['pages that share two records', ['abc/++bcde|', 'abc'], 'abcde'],
    ['pages that should share two records but share only one', ['abc/++xcde|', 'abc/++xcde|'], undefined],
    ['pages that overlap', ['ab/+bc/+c|', 'ab/+bc'], 'abc'],
    ['pages that should overlap but do not', ['ab/+de|', 'ab/+de|'], undefined],
    ['an empty page that should overlap', ['ab/+|', 'ab/+|'], undefined],
  ])('finds a list only when the walks prove it: %s', (_what, walks, list) => {
    expect(proven(...walks)).toBe(list);
  });

  it('proves no list while the declared count changes, because a record may have left and come back', () => {
    // Record a leaves after its page was read, so the walk misses d; then a comes back.
    expect(proven('ab:5/+bef:4|', 'ab:5/+bef:5|')).toBeUndefined();
  });

  it.each([
    [['ab/cd', 'ab/cd'], true],
    [['ab/cd', 'a/bcd'], true],
    [['ab/cd', 'ab/dc'], false],
    [['ab/cd', 'ab/cd/e'], false],
    [['ab/cd'], false],
  ])('reports whether walks %j agree: %s', (walks, agree) => {
    expect(logOf(...walks).repeatsLastWalk()).toBe(agree);
  });
});

describe.each(TOTALS)('PageLog for a moving list whose total %s', (_what, totalOf) => {
  it.each([
    [6, 2],
    [7, 3],
    [25, 10],
  ])('never proves a list that lacks a record: %i records in pages of %i', (size, perPage) => {
    let published = 0;
    for (let seed = 1; seed <= 500; seed += 1) {
      const choices = choicesOf(seed);
      const list = new MovingList(choices, size);
      const [likelihood, mostMoves] = [choices.pick([0.05, 0.3, 1]), choices.integer(1, 3)];
      const lengths: number[] = [];
      const read = readUntilProven(perPage, () => {
        if (choices.chance(likelihood)) for (let n = choices.integer(1, mostMoves); n > 0; n -= 1) list.move();
        lengths.push(list.ids.length);
        return { ids: list.ids, declared: totalOf(lengths) };
      });
      if (read !== undefined) published += 1;
      expect({ seed, missing: read === undefined ? [] : list.missingFrom(read) }).toEqual({ seed, missing: [] });
    }
    expect(published).toBeGreaterThan(100);
  });
});

it.each(['in turn', 'at random'])(
  'PageLog never proves a list that lacks a record when replicas that differ by one write answer %s',
  (how) => {
    let published = 0;
    for (let seed = 1; seed <= 1000; seed += 1) {
      const choices = choicesOf(seed);
      const ahead = new MovingList(choices, choices.integer(3, 9));
      const behind = [...ahead.ids];
      ahead.write();
      let asked = 0;
      const read = readUntilProven(choices.integer(2, 4), () => {
        asked += 1;
        const ids = (how === 'in turn' ? asked % 2 === 0 : choices.chance(0.5)) ? behind : ahead.ids;
        return { ids, declared: undefined };
      });
      if (read !== undefined) published += 1;
      expect({ seed, missing: read === undefined ? [] : ahead.missingFrom(read) }).toEqual({ seed, missing: [] });
    }
    expect(published).toBeGreaterThan(20);
  },
);

/**
 * Walks a list at most four times; each page begins with the last record of the previous page.
 * @returns undefined without a proof.
 */
function readUntilProven(
  perPage: number,
  ask: () => { ids: readonly number[]; declared: number | undefined },
): number[] | undefined {
  const log = new PageLog();
  const pages: number[][] = [];
  for (let walk = 1; walk <= 4; walk += 1) {
    log.startWalk();
    for (let read = 0; ;) {
      const { ids, declared } = ask();
      const offset = Math.max(0, read - 1);
      const page = ids.slice(offset, offset + perPage);
      pages.push(page);
      const added = log.add(page.map(String), { declared, overlaps: read > 0 ? 1 : 0 });
      read += added;
      const isLast = page.length < perPage || added === 0;
      if (isLast && log.findWhole() === undefined) log.endWalk();
      const whole = log.findWhole();
      if (whole !== undefined) {
        return [...whole].flatMap(([number, positions]) => [...positions].map((at) => pages[number]![at]!));
      }
      if (isLast) break;
    }
  }
  return undefined;
}
