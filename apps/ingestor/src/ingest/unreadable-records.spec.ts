import type { FeedCoverage, RecordOutcome } from '@passerelle/connectors';
import type { RejectionCode } from '@passerelle/domain';
import {
  aListing,
  assemble,
  hashOf,
  MemoryStore,
  published,
  withdrawn,
} from '../../../../test/support/ingest/assembly';
import type { KeepingRule } from './unreadable-records';

const KEEPS: KeepingRule = { isOn: true, marks: new Map() };
const marked = (marks: Record<string, boolean>): KeepingRule => ({
  isOn: true,
  marks: new Map(Object.entries(marks).map(([affId, isOver]) => [affId, { isOver }])),
});

const unchanged = (affId: string): RecordOutcome => ({
  kind: 'unchanged',
  position: 1,
  hash: hashOf(`bytes of ${affId}`),
});

function unreadable(recordId?: string, code: RejectionCode = 'malformed'): RecordOutcome {
  const rejection = { position: 1, code, message: 'cannot be read', ...(recordId !== undefined && { recordId }) };
  return { kind: 'rejected', position: 1, rejection };
}

/** The outcomes of a feed in letters: `a` is unchanged, `!a` is unreadable, `!` is unreadable without an identifier. */
function feedOf(text: string): RecordOutcome[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('!') ? unreadable(word.slice(1) || undefined) : unchanged(word)));
}

async function comesTo(
  feed: RecordOutcome[],
  rule: KeepingRule,
  coverage: Exclude<FeedCoverage['kind'], 'asked'> | FeedCoverage = 'whole',
) {
  const current = await published(...['a', 'b', 'c', 'd', 'e', 'f'].map((affId) => aListing(affId)));
  const candidate = await assemble(current, feed, coverage, new MemoryStore(), [], rule);
  return {
    list: candidate.versionIds.map((id) => current.find((version) => version.id === id)?.affId ?? 'new').join(' '),
    kept: candidate.kept.join(' '),
    keptOfFeed: candidate.keptOfFeed,
    gone: [...candidate.changes].flatMap(({ kind, affId, reason }) =>
      kind === 'removed' ? [`${affId} ${reason!}`] : [],
    ),
    isCurrent: candidate.isCurrent,
  };
}

const nothingGone = { gone: [], isCurrent: true, list: 'a b c d e f' };

describe('assembly of a feed with unreadable records', () => {
  it('keeps a listing at the position of its record', async () => {
    expect(await comesTo(feedOf('a !b c d e f'), KEEPS)).toEqual({ ...nothingGone, kept: 'b', keptOfFeed: 1 });
    expect(await comesTo(feedOf('!f a b c d e'), KEEPS)).toMatchObject({ list: 'f a b c d e', kept: 'f' });
  });

  it.each<[RejectionCode, boolean]>([
    ['malformed', true],
    ['missing_field', true],
    ['invalid_value', true],
    ['too_large', true],
    ['withdrawn', false],
  ])('treats the rejection code %s as unreadable: %s', async (code, isKept) => {
    const feed = [...feedOf('a b c d e'), unreadable('f', code)];
    expect((await comesTo(feed, KEEPS)).kept).toBe(isKept ? 'f' : '');
  });

  it('removes listings with unreadable records, with the reason "rejected", if the permitted time is 0', async () => {
    const off: KeepingRule = { isOn: false, marks: new Map([['b', { isOver: true }]]) };
    expect(await comesTo(feedOf('a !b c d e f'), off)).toMatchObject({
      list: 'a c d e f',
      kept: '',
      gone: ['b rejected'],
    });
  });

  it('keeps a listing only until its permitted time is over', async () => {
    const feed = feedOf('a !b c !d e f');
    expect(await comesTo(feed, marked({ b: true, d: false }))).toMatchObject({
      ...{ list: 'a c d e f', kept: 'd', gone: ['b rejected'] },
    });
  });

  it('removes the mark of a listing that is readable again or absent', async () => {
    expect(await comesTo(feedOf('a b c d e'), marked({ b: false, f: false }))).toMatchObject({
      ...{ list: 'a b c d e', kept: '', gone: ['f absent'] },
    });
  });

  it.each<[string, RecordOutcome[]]>([
    ['a later record of the feed withdraws', [unreadable('b'), withdrawn('b')]],
    ['an earlier record of the feed withdraws', [withdrawn('b'), unreadable('b')]],
  ])('does not keep a listing that %s', async (_what, records) => {
    expect(await comesTo([...records, ...feedOf('a c d e f')], KEEPS)).toMatchObject({
      kept: '',
      gone: ['b withdrawn'],
    });
  });

  it('uses the readable record if a listing has two records', async () => {
    expect(await comesTo(feedOf('a !b b c d e f'), KEEPS)).toMatchObject({ ...nothingGone, kept: '' });
    expect(await comesTo(feedOf('a b !b c d e f'), KEEPS)).toMatchObject({ ...nothingGone, kept: '' });
  });

  it('keeps nothing for the unreadable record of a listing that was never published', async () => {
    expect(await comesTo(feedOf('a b c d e !new'), KEEPS)).toMatchObject({ kept: '', gone: ['f absent'] });
  });

  it.each<[string, string, string, string[]]>([
    ['a ! c d e f', 'a b c d e f', 'b', []],
    ['a ! ! d e f', 'a b c d e f', 'b c', []],
    ['! b c d e f', 'a b c d e f', 'a', []],
    // The neighbour of the record decides which of two absent listings stays.
    ['a c ! e f', 'a c d e f', 'd', ['b absent']],
    // In another order there is no neighbour: the first absent listing stays.
    ['f e d c !', 'f e d c a', 'a', ['b absent']],
    // No listing is absent.
    ['a b c d e f ! !', 'a b c d e f', '', []],
  ])('keeps an absent listing for each record that has no identifier: %s', async (feed, list, kept, gone) => {
    expect(await comesTo(feedOf(feed), KEEPS)).toMatchObject({ list, kept, gone });
  });

  it('prefers listings that are already kept, for records without an identifier', async () => {
    expect(await comesTo(feedOf('a c d ! f'), marked({ b: false }))).toMatchObject({ kept: 'b', gone: ['e absent'] });
  });

  it('keeps no other listing for a record without an identifier if the permitted time of its own listing is over', async () => {
    expect(await comesTo(feedOf('a ! c d e'), marked({ b: true }))).toMatchObject({
      ...{ list: 'a c d e', kept: '', gone: ['b rejected', 'f absent'] },
    });
  });

  it('keeps and marks listings of a feed of changes, and keeps the marks of listings that the feed does not name', async () => {
    expect(await comesTo(feedOf('!b'), marked({ d: false, e: true }), 'delta')).toEqual({
      ...{ ...nothingGone, kept: 'b d e', keptOfFeed: 1 },
    });
    expect(await comesTo(feedOf('d !b'), marked({ b: true, d: false }), 'delta')).toMatchObject({
      ...{ list: 'a c d e f', kept: '', gone: ['b rejected'] },
    });
  });

  it('keeps a listing of a scope that the feed lists whole, and does not count the scope as contained', async () => {
    const current = await published(
      ...['a', 'b', 'c', 'd'].map((affId, n) => aListing(affId, { scope: n < 2 ? '1' : '2' })),
    );
    const of = async (feed: string) => {
      const { versionIds, kept } = await assemble(current, feedOf(feed), 'whole-scopes', new MemoryStore(), [], KEEPS);
      return { versionIds, kept };
    };
    expect(await of('a !b')).toEqual({ versionIds: [1, 2, 3, 4], kept: ['b'] });
    expect(await of('a b !c')).toEqual({ versionIds: [1, 2, 3, 4], kept: ['c'] });
  });

  it('keeps the listing of an unreadable response from a source of single listings', async () => {
    const coverage: FeedCoverage = { kind: 'asked', scopes: ['b'] };
    const current = await published(...['a', 'b', 'c'].map((affId) => aListing(affId, { scope: affId })));
    const { kept, versionIds } = await assemble(current, [unreadable('b')], coverage, new MemoryStore(), [], KEEPS);
    expect({ kept, versionIds }).toEqual({ kept: ['b'], versionIds: [1, 2, 3] });
  });
});
