import { PageLog } from './page-log';
import { choicesOf } from './testing/choices';
import { MovingList } from './testing/moving-list';

/** Logs walks written as `ab/cd of 4`, page by page; a page may declare its own number: `ab:4/cd:5`. */
function logOf(...walks: string[]): PageLog {
  const log = new PageLog();
  for (const walk of walks) {
    log.startWalk();
    const [pages = '', total] = walk.split(' of ');
    for (const page of pages.split('/')) {
      const [ids = '', own = total] = page.split(':');
      log.add(ids.split(''), own === undefined ? undefined : Number(own));
    }
  }
  return log;
}

/** The list that a log proves, as text. */
function provenBy(log: PageLog, ...walks: string[]): string | undefined {
  const moment = log.findWhole();
  if (moment === undefined) return undefined;
  const pages = walks.flatMap((walk) =>
    walk
      .replace(/ of .*/, '')
      .split('/')
      .map((page) => page.replace(/:.*/, '')),
  );
  return [...log.recordsAt(moment)]
    .map(([page, places]) => [...places].map((at) => pages[page]![at]!).join(''))
    .join('');
}

const proven = (...walks: string[]): string | undefined => provenBy(logOf(...walks), ...walks);

describe('the pages of a list', () => {
  it.each<[string, string[], string | undefined]>([
    ['one page that holds what it declares', ['abc of 3'], 'abc'],
    ['one page that holds less', ['ab of 3'], undefined],
    ['a page that holds one record twice', ['aba of 3'], 'aba'],
    ['several pages, read once', ['ab/cd of 4'], undefined],
    ['several pages, read again up to the last', ['ab/cd/e of 5', 'ab/cd of 5'], 'abcde'],
    ['several pages of which only some were read again', ['ab/cd/e of 5', 'ab of 5'], undefined],
    ['several pages whose records changed places', ['ab/cd/e of 5', 'ea/bc/d of 5'], 'eabcd'],
    ['a count on the first page only', ['ab:4/cd', 'ab:4/cd'], 'abcd'],
    ['a record that came to the front', ['ab:4/bc:5/d:5', 'ea/bc/d of 5'], 'eabcd'],
    ['a deletion that hides a record', ['ab:5/de:4', 'bc of 4', 'bc/de of 4'], 'bcde'],
    ['a deletion and an insertion that hide a record', ['ab/de of 4', 'bc of 4'], undefined],
    ['the same, one page later', ['ab/de of 4', 'bc/de of 4'], 'bcde'],
    ['a record that two pages hold', ['ab/bc of 4', 'ab/bc of 4'], undefined],
    ['a record that comes to a second page in the second walk', ['ab/cd of 4', 'ab/bd of 4'], undefined],
    ['no count', ['ab/cd', 'ab/cd'], undefined],
  ])('%s', (_what, walks, list) => {
    expect(proven(...walks)).toBe(list);
  });

  it('prove nothing while the count changes, for a record may have left and come back', () => {
    // a leaves behind its page, so that d is missed, and comes back.
    expect(proven('ab:5/ef:4', 'ab:5/ef:5')).toBeUndefined();
  });

  it.each([
    [['ab/cd', 'ab/cd'], true],
    [['ab/cd', 'a/bcd'], true],
    [['ab/cd', 'ab/dc'], false],
    [['ab/cd', 'ab/cd/e'], false],
    [['ab/cd'], false],
  ])('of walks %j agree: %s', (walks, agree) => {
    expect(logOf(...walks).repeatsLastWalk()).toBe(agree);
  });
});

it.each([
  [6, 2],
  [7, 3],
  [25, 10],
])('of a list of %i in pages of %i that moves never prove a list that lacks what was there', (size, perPage) => {
  let published = 0;
  for (let seed = 1; seed <= 1500; seed += 1) {
    const choices = choicesOf(seed);
    const list = new MovingList(choices, size);
    const [likelihood, mostMoves] = [choices.pick([0.05, 0.3, 1]), choices.integer(1, 3)];
    const read = readUntilProven(list, perPage, () => {
      if (choices.chance(likelihood)) for (let n = choices.integer(1, mostMoves); n > 0; n -= 1) list.move();
    });
    if (read !== undefined) published += 1;
    expect({ seed, missing: read === undefined ? [] : list.missingFrom(read) }).toEqual({ seed, missing: [] });
  }
  expect(published).toBeGreaterThan(500);
});

/** Walks a list four times at most. @returns undefined without a proof. */
function readUntilProven(list: MovingList, perPage: number, beforeRequest: () => void): number[] | undefined {
  const log = new PageLog();
  const pages: number[][] = [];
  for (let walk = 1; walk <= 4; walk += 1) {
    log.startWalk();
    for (let offset = 0; ;) {
      beforeRequest();
      const page = list.ids.slice(offset, offset + perPage);
      pages.push(page);
      log.add(page.map(String), list.ids.length);
      const moment = log.findWhole();
      if (moment !== undefined) {
        return [...log.recordsAt(moment)].flatMap(([number, places]) => [...places].map((at) => pages[number]![at]!));
      }
      offset += page.length;
      if (page.length === 0 || offset >= list.ids.length) break;
    }
  }
  return undefined;
}
