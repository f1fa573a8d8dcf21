import {
  DEFAULT_THRESHOLDS,
  emptyFillCounts,
  type FillCounts,
  type GateFacts,
  type GateReason,
  type GateThresholds,
  judgeRun,
} from '../index';

function filled(count: number, except: Partial<FillCounts> = {}): FillCounts {
  const counts = emptyFillCounts();
  for (const field of Object.keys(counts) as (keyof FillCounts)[]) counts[field] = count;
  return { ...counts, ...except };
}

function aRun(facts: Partial<GateFacts> = {}): GateFacts {
  return {
    current: { total: 100, fill: filled(100) },
    candidate: { total: 100, fill: filled(100) },
    records: 100,
    rejected: 0,
    added: 0,
    removed: 0,
    incomplete: null,
    isForeign: false,
    ...facts,
  };
}

function reasons(facts: Partial<GateFacts>, thresholds: Partial<GateThresholds> = {}): GateReason[] {
  const verdict = judgeRun(aRun(facts), { ...DEFAULT_THRESHOLDS, ...thresholds });
  return verdict.publish ? [] : verdict.reasons;
}

const unknown = (counts: Record<string, number>, before: string[] | null) => ({ counts, before });

const held = (facts: Partial<GateFacts>, thresholds: Partial<GateThresholds> = {}): string[] =>
  reasons(facts, thresholds).map((reason) => reason.code);

const everyPart = (total: number, except: Partial<FillCounts> = {}) => ({ total, fill: filled(total, except) });

describe('the publish gate', () => {
  it('publishes a run that changes little', () => {
    expect(held({ added: 3, removed: 5, candidate: { total: 98, fill: filled(98) } })).toEqual([]);
  });

  it('publishes the first snapshot of a gateway', () => {
    expect(held({ current: null, added: 100 })).toEqual([]);
  });

  it.each([
    ['an empty feed after a feed with listings', { candidate: { total: 0, fill: filled(0) }, removed: 100 }, ['empty']],
    ['an empty first feed', { current: null, candidate: { total: 0, fill: filled(0) }, records: 0 }, ['empty']],
    [
      'a feed without a usable record',
      { current: null, candidate: { total: 0, fill: filled(0) }, records: 4, rejected: 4 },
      ['nothing_usable'],
    ],
    ['an incomplete feed', { incomplete: 'it ends in the middle of a record' }, ['incomplete']],
    [
      'the loss of more than a fifth of the listings',
      { removed: 21, candidate: { total: 79, fill: filled(79) } },
      ['vanished'],
    ],
    [
      'many listings that a changed mapping withdraws',
      { removed: 25, withdrawnByMapping: 22, candidate: { total: 75, fill: filled(75) } },
      ['mapping_changed'],
    ],
    [
      'the loss of many listings beside some that a changed mapping withdraws',
      { removed: 25, withdrawnByMapping: 3, candidate: { total: 75, fill: filled(75) } },
      ['vanished'],
    ],
    [
      'a small portfolio with only new identifiers',
      {
        current: { total: 4, fill: filled(4) },
        candidate: { total: 4, fill: filled(4) },
        added: 4,
        removed: 4,
      },
      ['vanished', 'replaced'],
    ],
    ["another agency's feed, although the present listings stay", { isForeign: true, added: 30 }, ['foreign']],
    ['texts in a wrong encoding', { candidate: { total: 100, fill: filled(100, { legible: 95 }) } }, ['garbled']],
    ['the loss of many prices', { candidate: { total: 100, fill: filled(100, { price: 80 }) } }, ['fill_drop']],
  ] satisfies [string, Partial<GateFacts>, string[]][])('holds a run for %s', (_what, facts, codes) => {
    expect(held(facts)).toEqual(codes);
  });

  it.each([
    ['the loss of exactly a fifth of the listings', { removed: 20, candidate: { total: 80, fill: filled(80) } }],
    [
      'the loss of half of a small portfolio',
      { current: { total: 8, fill: filled(8) }, candidate: { total: 4, fill: filled(4) }, removed: 4 },
    ],
    [
      'an empty feed after an empty feed',
      { current: { total: 0, fill: filled(0) }, candidate: { total: 0, fill: filled(0) }, records: 0 },
    ],
    ['a text or two in a wrong encoding', { candidate: { total: 100, fill: filled(100, { legible: 96 }) } }],
    ['a fill rate that falls by 19 points', { candidate: { total: 100, fill: filled(100, { price: 81 }) } }],
    [
      'the loss of a field in one of three listings',
      { current: { total: 3, fill: filled(3) }, candidate: { total: 3, fill: filled(3, { negoEmail: 2 }) } },
    ],
  ] satisfies [string, Partial<GateFacts>][])('does not hold a run for %s', (_what, facts) => {
    expect(held(facts)).toEqual([]);
  });

  it.each<[string, Partial<GateFacts>, Partial<GateThresholds>, string[]]>([
    ['max-fill-drop', { candidate: everyPart(100, { price: 89 }) }, { maxFillDrop: 0.1 }, ['fill_drop']],
    ['max-fill-drop', { candidate: everyPart(100, { price: 91 }) }, { maxFillDrop: 0.1 }, []],
    ['max-fill-drop', { candidate: everyPart(100, { price: 10 }) }, { maxFillDrop: 0.95 }, []],
    ['max-fill-drop', { candidate: everyPart(100, { legible: 97 }) }, { maxFillDrop: 0.02 }, ['garbled']],
    ['max-vanished-share', { removed: 10, candidate: everyPart(90) }, { maxVanishedShare: 0.05 }, ['vanished']],
    ['max-vanished-share', { removed: 60, candidate: everyPart(40) }, { maxVanishedShare: 0.6 }, []],
    ['max-vanished-count', { removed: 50, candidate: everyPart(50) }, { maxVanishedCount: 50 }, []],
    ['max-replaced-share', { added: 60, removed: 60 }, { maxReplacedShare: 0.6, maxVanishedShare: 1 }, []],
    ['max-replaced-share', { added: 10, removed: 10 }, { maxReplacedShare: 0.05 }, ['replaced']],
  ])("applies the gateway's %s", (_setting, facts, thresholds, codes) => {
    expect(held(facts, thresholds)).toEqual(codes);
  });

  it('holds a run that would undo a guarded revert, in whole or in part', () => {
    expect(held({ revert: { undone: 0, of: 3 } })).toEqual([]);
    expect(reasons({ revert: { undone: 1, of: 3 } })).toEqual([
      {
        code: 'reverted',
        message: '1 of the 3 listings that a revert changed would change back',
        figures: { undone: 1, of: 3 },
      },
    ]);
  });

  it('holds a feed without a readable record, even when the listings of unreadable records are kept', () => {
    const facts = { records: 100, rejected: 100, removed: 30 };
    expect(held({ ...facts, candidate: { ...everyPart(70), kept: 70 } })).toEqual(['nothing_usable']);
    expect(held({ ...facts, removed: 0, candidate: { ...everyPart(100), kept: 99 } })).toEqual([]);
  });

  it.each<[number, number, Partial<GateThresholds>, string[]]>([
    [5, 2, {}, ['vanished']],
    [6, 1, {}, ['vanished']],
    [5, 1, {}, ['vanished']],
    [4, 1, {}, ['vanished']],
    [4, 2, {}, []],
    [6, 3, {}, []],
    [3, 1, {}, []],
    [2, 1, {}, []],
    [5, 2, { maxVanishedShare: 0.6 }, []],
    [5, 1, { maxVanishedShare: 0.6 }, ['vanished']],
    [5, 1, { maxVanishedShare: 0.8 }, []],
    [5, 2, { maxVanishedShare: 0.1 }, ['vanished']],
    [4, 2, { maxVanishedShare: 0.1 }, []],
    [100, 40, { maxVanishedCount: 60 }, ['vanished']],
  ])('judges a portfolio that shrinks from %i to %i listings with %j', (before, after, thresholds, codes) => {
    const facts = { current: everyPart(before), candidate: everyPart(after), removed: before - after };
    expect(held(facts, thresholds)).toEqual(codes);
  });

  it.each<[string, Partial<GateFacts>]>([
    ['half of the listings new and half gone', { added: 50, removed: 50 }],
    ['exactly half new and more gone', { added: 50, removed: 60 }],
    ['more than half new and exactly half gone', { added: 60, removed: 50, candidate: everyPart(110) }],
    ['more than half new and few gone', { added: 160, removed: 5, candidate: everyPart(255) }],
    ['more than half gone and few new', { added: 5, removed: 60, candidate: everyPart(45) }],
  ])('does not mistake a feed with %s for the feed of another agency', (_what, facts) => {
    expect(held(facts, { maxVanishedShare: 1 })).toEqual([]);
  });

  it.each<[string, Partial<GateFacts>]>([
    ['a first feed', { current: null, added: 9, removed: 9, isForeign: true, candidate: everyPart(9, { price: 0 }) }],
    ['a feed after an empty feed', { current: everyPart(0), added: 9, candidate: everyPart(9, { price: 0 }) }],
    ['an empty feed after an empty feed', { current: everyPart(0), candidate: everyPart(0), records: 0 }],
  ])('publishes %s without a comparison', (_what, facts) => {
    expect(held(facts)).toEqual([]);
  });

  it('does not report fill rates when no listing remains', () => {
    expect(held({ candidate: everyPart(0), removed: 100, added: 0 })).toEqual(['empty']);
  });

  it('holds a run of a small portfolio when two listings lose a field, but not when one listing does', () => {
    const current = everyPart(4);
    expect(held({ current, candidate: everyPart(4, { ville: 2 }) })).toEqual(['fill_drop']);
    expect(held({ current, candidate: everyPart(4, { ville: 3 }) })).toEqual([]);
  });

  it('does not hold a run because of a rising fill rate', () => {
    expect(held({ current: everyPart(100, { price: 10, legible: 10 }), candidate: everyPart(100) })).toEqual([]);
  });

  it.each<[string, Partial<GateFacts>, string[]]>([
    [
      'holds a run with a name that the last published run did not have',
      { unknownElements: unknown({ rental: 1 }, []) },
      ['unknown_element'],
    ],
    [
      'holds a run with a new name beside a name of the last published run',
      { unknownElements: unknown({ a: 1, rental: 1 }, ['a']) },
      ['unknown_element'],
    ],
    [
      'publishes names that the last published run had',
      { unknownElements: unknown({ a: 5, b: 15 }, ['a', 'b', 'c']) },
      [],
    ],
    [
      'publishes a name when the names of the last published run are unknown',
      { unknownElements: unknown({ rental: 20 }, null) },
      [],
    ],
    ['publishes a name in a first feed', { current: null, unknownElements: unknown({ rental: 1 }, []) }, []],
    [
      'holds a run whose unknown elements exceed a fifth of its records',
      { unknownElements: unknown({ a: 11, b: 10 }, ['a', 'b']) },
      ['unknown_element'],
    ],
    [
      'holds a first feed whose unknown elements exceed a fifth of its records',
      { current: null, unknownElements: unknown({ a: 21 }, null) },
      ['unknown_element'],
    ],
    [
      'publishes five unknown elements beside few records',
      { records: 5, unknownElements: unknown({ a: 5 }, ['a']) },
      [],
    ],
    [
      'holds a run with six unknown elements beside few records',
      { records: 5, unknownElements: unknown({ a: 6 }, ['a']) },
      ['unknown_element'],
    ],
  ])('judges unknown elements: %s', (_what, facts, codes) => {
    expect(held(facts)).toEqual(codes);
  });

  it('reports unknown elements with their counts', () => {
    expect(reasons({ unknownElements: unknown({ new_build: 12, rental: 1 }, ['rental']) })).toEqual([
      {
        code: 'unknown_element',
        message: 'beside its 100 records the feed has unknown elements: new_build (12), rental (1)',
        figures: { records: 100, unknown: 13 },
      },
    ]);
  });

  it('reports all reasons to hold a run', () => {
    const facts = {
      incomplete: 'cut',
      removed: 90,
      added: 90,
      isForeign: true,
      candidate: everyPart(100, { ville: 0 }),
    };
    expect(held(facts)).toEqual(['incomplete', 'vanished', 'replaced', 'foreign', 'fill_drop']);
  });

  it.each<[Partial<GateFacts>, GateReason]>([
    [
      { removed: 30, candidate: everyPart(70) },
      {
        code: 'vanished',
        message: '30 of 100 listings (30 %) would vanish; at most 20 % may',
        figures: { before: 100, after: 70, removed: 30 },
      },
    ],
    [
      { current: everyPart(5), removed: 3, candidate: everyPart(2) },
      {
        code: 'vanished',
        message: '3 of 5 listings (60 %) would vanish; at most 50 % may',
        figures: { before: 5, after: 2, removed: 3 },
      },
    ],
    [
      { incomplete: 'it ends in a record' },
      { code: 'incomplete', message: 'the feed is not complete: it ends in a record', figures: {} },
    ],
    [
      { candidate: everyPart(0), records: 4, rejected: 4 },
      {
        code: 'nothing_usable',
        message: "none of the feed's 4 records could become a listing",
        figures: { before: 100, records: 4, rejected: 4 },
      },
    ],
    [
      { current: null, candidate: everyPart(0), records: 4, rejected: 4 },
      {
        code: 'nothing_usable',
        message: "none of the feed's 4 records could become a listing",
        figures: { before: 0, records: 4, rejected: 4 },
      },
    ],
    [
      { current: null, candidate: everyPart(0) },
      { code: 'empty', message: 'the first feed of this gateway is empty', figures: { before: 0 } },
    ],
    [
      { candidate: everyPart(0) },
      { code: 'empty', message: 'the feed is empty; 100 listings would vanish', figures: { before: 100 } },
    ],
    [
      { current: everyPart(1), candidate: everyPart(0) },
      { code: 'empty', message: 'the feed is empty; 1 listing would vanish', figures: { before: 1 } },
    ],
    [
      { current: everyPart(3), candidate: everyPart(3), added: 3, removed: 2 },
      {
        code: 'replaced',
        message:
          '100 % of the listings are new and 66.7 % of the old ones are gone: ' +
          "the identifiers have changed, or this is another agency's feed",
        figures: { before: 3, after: 3, added: 3, removed: 2 },
      },
    ],
    [
      { isForeign: true, added: 1 },
      {
        code: 'foreign',
        message:
          "all 1 listing of the feed belong to an agency that has no listings here: this is another agency's feed",
        figures: { before: 100, added: 1 },
      },
    ],
    [
      { current: everyPart(100, { price: 90 }), candidate: everyPart(200, { price: 20 }) },
      {
        code: 'fill_drop',
        message: 'the field price is filled in 10 % of the listings, previously in 90 %',
        figures: { before: 90, after: 20, total: 200 },
      },
    ],
    [
      { current: everyPart(100, { legible: 99 }), candidate: everyPart(100, { legible: 40 }) },
      {
        code: 'garbled',
        message: 'the texts of 60 % of the listings are garbled, previously of 1 %: the encoding is wrong',
        figures: { before: 99, after: 40, total: 100 },
      },
    ],
  ])('explains %j in one sentence with figures', (facts, reason) => {
    expect(reasons(facts)).toEqual([reason]);
  });
});
