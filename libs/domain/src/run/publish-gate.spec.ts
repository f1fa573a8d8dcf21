import { emptyFillCounts, type FillCounts, judgeRun, type GateFacts } from '../index';

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

const held = (facts: Partial<GateFacts>): string[] => {
  const verdict = judgeRun(aRun(facts));
  return verdict.publish ? [] : verdict.reasons.map((reason) => reason.code);
};

describe('the publish gate', () => {
  it('publishes a run that changes little', () => {
    expect(held({ added: 3, removed: 5, candidate: { total: 98, fill: filled(98) } })).toEqual([]);
  });

  it('publishes the first snapshot of a gateway', () => {
    expect(held({ current: null, added: 100 })).toEqual([]);
  });

  it.each([
    ['an empty feed where there were listings', { candidate: { total: 0, fill: filled(0) }, removed: 100 }, ['empty']],
    ['an empty first feed', { current: null, candidate: { total: 0, fill: filled(0) }, records: 0 }, ['empty']],
    [
      'a feed without one usable record',
      { current: null, candidate: { total: 0, fill: filled(0) }, records: 4, rejected: 4 },
      ['nothing_usable'],
    ],
    ['an incomplete feed', { incomplete: 'it ends in the middle of a record' }, ['incomplete']],
    ['more than a fifth vanishing', { removed: 21, candidate: { total: 79, fill: filled(79) } }, ['vanished']],
    [
      'the identifiers of a small portfolio all new',
      {
        current: { total: 4, fill: filled(4) },
        candidate: { total: 4, fill: filled(4) },
        added: 4,
        removed: 4,
      },
      ['replaced'],
    ],
    ["another agency's feed, beside which the others stay", { isForeign: true, added: 30 }, ['foreign']],
    ['texts in a wrong encoding', { candidate: { total: 100, fill: filled(100, { legible: 95 }) } }, ['garbled']],
    ['prices gone', { candidate: { total: 100, fill: filled(100, { price: 80 }) } }, ['fill_drop']],
  ] satisfies [string, Partial<GateFacts>, string[]][])('holds %s', (_what, facts, codes) => {
    expect(held(facts)).toEqual(codes);
  });

  it.each([
    ['exactly a fifth vanishing', { removed: 20, candidate: { total: 80, fill: filled(80) } }],
    [
      'five of eight vanishing, for portfolios are small',
      { current: { total: 8, fill: filled(8) }, candidate: { total: 3, fill: filled(3) }, removed: 5 },
    ],
    [
      'an empty feed where there was nothing',
      { current: { total: 0, fill: filled(0) }, candidate: { total: 0, fill: filled(0) }, records: 0 },
    ],
    ['a text or two in a wrong encoding', { candidate: { total: 100, fill: filled(100, { legible: 96 }) } }],
    ['a fill rate that falls by 19 points', { candidate: { total: 100, fill: filled(100, { price: 81 }) } }],
    [
      'one listing of three losing its field',
      { current: { total: 3, fill: filled(3) }, candidate: { total: 3, fill: filled(3, { negoEmail: 2 }) } },
    ],
  ] satisfies [string, Partial<GateFacts>][])('lets pass %s', (_what, facts) => {
    expect(held(facts)).toEqual([]);
  });

  it('gives the figures behind a verdict', () => {
    expect(judgeRun(aRun({ removed: 30, candidate: { total: 70, fill: filled(70) } }))).toEqual({
      publish: false,
      reasons: [
        {
          code: 'vanished',
          message: '30 of 100 listings (30 %) would vanish; at most 20 % may',
          figures: { before: 100, after: 70, removed: 30 },
        },
      ],
    });
  });
});
