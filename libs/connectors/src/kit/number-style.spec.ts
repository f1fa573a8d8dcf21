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
    ['one of a million decides for all', ['235.000', '1.235.000'], { point: 'thousands' }],
    ['one with cents decides for all', ['1.235.000,00', '235.000'], { point: 'thousands' }],
    ['by its other separator', ['235.000', '650,50'], { point: 'thousands' }],
    ['by an end that has no cents', ['235.000', '1.750.—'], { point: 'thousands' }],
    ['in English', ['235,000', '1,235.00'], { comma: 'thousands' }],
    ['by three decimals everywhere', ['650.000', '235000.000'], { point: 'decimal' }],
    ['among words', ['235.000', 'à partir de 1.235.000 €'], { point: 'thousands' }],
    ['whatever its blanks were decoded to', ['235.000', '1.235.000,00Â\u00a0â\u0082¬'], { point: 'thousands' }],
    ['where nothing tells', ['235.000', '1.450'], undefined],
    ['where cents are written with a point', ['1.450', '650.50'], undefined],
    ['where records contradict one another', ['235.000', '1.235.000', '1235.000'], undefined],
    ['that does not matter', ['1.235.000', '650,50'], undefined],
    ['of dates and versions', ['1.450', '12.03.2023', '1.2.3'], undefined],
    ['of plain figures', ['235000', '1450'], undefined],
  ])('is learned: %s', (_title, written, expected) => {
    expect(learnt(written)?.amounts).toEqual(expected);
    expect(learnt([...written].reverse())?.amounts).toEqual(expected);
  });
});

describe('style of areas', () => {
  it.each<[string, string[], string[], object | undefined]>([
    ['is their own', ['235.000', '1.235.000'], ['1.250', '85.5'], { point: 'fraction' }],
    ['is that of the amounts where they say nothing', ['1.235.000'], ['1.250'], { point: 'thousands' }],
    ['is not that of amounts with decimals', ['235000.000'], ['1.250'], undefined],
    ['is unknown where nothing tells', ['235000'], ['1.250'], undefined],
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
