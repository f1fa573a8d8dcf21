import type { RentPeriod, TypeCode } from '@passerelle/domain';
import { isDoubtful, isOfTheWhole, readPrice, readSalePrice } from './price';
import { recordingContext } from '../../../../test/support/connectors/recording-context';

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
    ['1.200', undefined, ['implausible_value prix 1.200']],
    ['1,200', undefined, ['implausible_value prix 1,200']],
    ['1.2', 1.2, []],
    ['2,35 M€', 2350000, []],
    ['2.35M€', 2350000, []],
    ['1,2 M', 1200000, []],
    ["1.2 millions d'euros", 1200000, []],
    ['CHF 1.25 Mio.', 1250000, []],
    ['350 k€', 350000, []],
    ['349,5K€', 349500, []],
    ['1.350 k€', undefined, ['implausible_value prix 1.350 k€']],
    ['850 m', 850, []],
    ['£1.25m', 1250000, []],
    ['2,35m€', 2350000, []],
    ["1'750.—", 1750, []],
    ["CHF 1'750.–", 1750, []],
    ['1.750.-', 1750, []],
    ['1.750,--', 1750, []],
    ['-235000', undefined, ['implausible_value prix -235000']],
    ['-1', undefined, ['implausible_value prix -1']],
    [-5, undefined, ['implausible_value prix -5']],
    ['12/03/23', undefined, ['implausible_value prix 12/03/23']],
    ['1200.000', 1200, []],
    ['1.200,00', 1200, []],
  ])('is read from %j as %j', (value, expected, noticed) => {
    const { context, warnings } = recordingContext('demo');
    expect([readPrice(value, 'prix', context), warnings]).toEqual([expected, noticed]);
  });

  it('is read in the style of its feed', () => {
    const { context, warnings } = recordingContext('demo');
    expect(readPrice('250.000', 'prix', context, { point: 'thousands' })).toBe(250000);
    expect(readPrice('250.000', 'prix', context, { point: 'decimal' })).toBe(250);
    expect(warnings).toEqual([]);
  });

  it('is absent when it is -1 and the format writes -1 for an unknown price', () => {
    const { context, warnings } = recordingContext('demo');
    const style = { unknown: -1 };
    expect([readPrice('-1', 'prix', context, style), readSalePrice(-1, 'prix', context, style)]).toEqual([
      undefined,
      undefined,
    ]);
    expect([isDoubtful('-1', context, style), isDoubtful('-2', context, style)]).toEqual([false, true]);
    expect(warnings).toEqual([]);
  });

  it.each<[number, RentPeriod | undefined, TypeCode | undefined, boolean]>([
    [150_000, undefined, 'appartement', false],
    [150_001, undefined, 'appartement', true],
    [100, 'mois', 'appartement', false],
    [101, 'mois', 'appartement', true],
    [101, 'mois', 'bureau', false],
    [1_001, 'mois', 'boutique', true],
    [1_200, 'an', undefined, false],
    [1_213, 'an', undefined, true],
  ])(
    'of %d per square metre (%s) for the type %s counts as the price of the whole: %s',
    (amount, period, typeCode, isWhole) => {
      expect(isOfTheWhole(amount, period, typeCode)).toBe(isWhole);
    },
  );

  it('is kept when it is too low for a sale, with a warning that quotes the written price', () => {
    const { context, warnings } = recordingContext('demo');
    expect([readSalePrice('349.00', 'prix', context), warnings]).toEqual([349, ['implausible_value prix 349.00']]);
  });

  it('is absent when it is too low for a sale and has cents', () => {
    const { context, warnings } = recordingContext('demo');
    expect([readSalePrice('2,35', 'prix', context), warnings]).toEqual([undefined, ['implausible_value prix 2,35']]);
    expect(isDoubtful('2,35', context)).toBe(true);
  });

  it('is doubtful when its digits are ambiguous, but not when there are words around the digits', () => {
    const { context } = recordingContext('demo', { feed: { numbers: { amounts: { comma: 'thousands' } } } });
    const doubtful = ['235.000', '-235000', '12/03/23', '235,000', '0', 'ab 500000', '1e5', '-1', 'x'];
    expect(doubtful.filter((written) => isDoubtful(written, context))).toEqual([
      '235.000',
      '-235000',
      '12/03/23',
      '-1',
    ]);
  });

  it('causes no warning when it is plausible for a sale', () => {
    const { context, warnings } = recordingContext('demo');
    expect([readSalePrice(1000, 'prix', context), warnings]).toEqual([1000, []]);
  });
});
