import { readPrice, readSalePrice } from './price';
import { recordingContext } from './testing/recording-context';

describe('a price', () => {
  it.each<[unknown, number | undefined, string[]]>([
    ['349 000,50 €', 349000.5, []],
    [900, 900, []],
    [{ '@hidden': 'false', '#text': '900' }, 900, []],
    ['0', undefined, []],
    ['', undefined, []],
    [null, undefined, []],
    ['x', undefined, []],
    ['Nous consulter', undefined, []],
    ['à partir de 590 000 €', undefined, ['implausible_value prix à partir de 590 000 €']],
    ['1e5', undefined, ['implausible_value prix 1e5']],
    ['1.200', 1.2, ['implausible_value prix 1.200']],
    ['1200.000', 1200, []],
    ['1.200,00', 1200, []],
  ])('%j is %j', (value, expected, noticed) => {
    const { context, warnings } = recordingContext('demo');
    expect([readPrice(value, 'prix', context), warnings]).toEqual([expected, noticed]);
  });

  it('is read in the style of its feed', () => {
    const { context, warnings } = recordingContext('demo');
    expect(readPrice('250.000', 'prix', context, { point: 'thousands' })).toBe(250000);
    expect(readPrice('250.000', 'prix', context, { point: 'decimal' })).toBe(250);
    expect(warnings).toEqual([]);
  });

  it('of a sale that is too low is kept, and noticed as it was written', () => {
    const { context, warnings } = recordingContext('demo');
    expect([readSalePrice('349.000', 'prix', context), warnings]).toEqual([349, ['implausible_value prix 349.000']]);
  });

  it('of a sale that can be one is not noticed', () => {
    const { context, warnings } = recordingContext('demo');
    expect([readSalePrice(1000, 'prix', context), warnings]).toEqual([1000, []]);
  });
});
