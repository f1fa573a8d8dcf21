import { learnedStyles, NumberEvidence, styleOf } from './number-style';
import { recordingContext } from '../../../../test/support/connectors/recording-context';

function learnt(amounts: readonly string[], areas: readonly string[] = []): ReturnType<typeof learnedStyles> {
  const evidence = (texts: readonly string[]): NumberEvidence => {
    const collected = new NumberEvidence();
    for (const text of texts) collected.note(text);
    return collected;
  };
  return learnedStyles(evidence(amounts), evidence(areas));
}

describe('style of amounts', () => {
  it.each<[string, string[], object | undefined]>([
    ['from one amount above a million', ['235.000', '1.235.000'], { point: 'thousands' }],
    ['from one amount with two separators', ['1.235.000,00', '235.000'], { point: 'thousands' }],
    ['from a comma before cents', ['235.000', '650,50'], { point: 'thousands' }],
    ['from a dash instead of cents', ['235.000', '1.750.—'], { point: 'thousands' }],
    ['from English amounts', ['235,000', '1,235.00'], { comma: 'thousands' }],
    ['from amounts that all have three decimals', ['650.000', '235000.000'], { point: 'decimal' }],
    ['from an amount among words', ['235.000', 'à partir de 1.235.000 €'], { point: 'thousands' }],
    ['from an amount with wrongly decoded blanks', ['235.000', '1.235.000,00Â\u00a0â\u0082¬'], { point: 'thousands' }],
    ['never from ambiguous amounts', ['235.000', '1.450'], undefined],
    ['never from a point before cents', ['1.450', '650.50'], undefined],
    ['never from contradictory records', ['235.000', '1.235.000', '1235.000'], undefined],
    ['never from amounts that are all unambiguous', ['1.235.000', '650,50'], undefined],
    ['never from dates and versions', ['1.450', '12.03.2023', '1.2.3'], undefined],
    ['never from figures without separators', ['235000', '1450'], undefined],
  ])('is learned: %s', (_title, written, expected) => {
    expect(learnt(written)?.amounts).toEqual(expected);
    expect(learnt([...written].reverse())?.amounts).toEqual(expected);
  });
});

describe('style of areas', () => {
  it.each<[string, string[], string[], object | undefined]>([
    ['comes from the areas themselves', ['235.000', '1.235.000'], ['1.250', '85.5'], { point: 'fraction' }],
    ['is that of the amounts when the areas are ambiguous', ['1.235.000'], ['1.250'], { point: 'thousands' }],
    ['is not that of amounts with decimals', ['235000.000'], ['1.250'], undefined],
    ['is unknown when areas and amounts are ambiguous', ['235000'], ['1.250'], undefined],
  ])('%s', (_title, amounts, areas, expected) => {
    expect(learnt(amounts, areas)?.areas).toEqual(expected);
  });
});

it('styleOf prefers the rule of the format to the learned style', () => {
  const { context } = recordingContext('demo', {
    feed: { numbers: { amounts: { comma: 'decimal', point: 'decimal' } } },
  });
  expect(styleOf(context, 'amounts', { comma: 'thousands' })).toEqual({ comma: 'thousands', point: 'decimal' });
});
