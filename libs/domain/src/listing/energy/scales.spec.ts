import { ENERGY_SCALES, type EnergyScaleName, energyScaleOf, readEnergyClass } from '../../index';

const SCALES = Object.keys(ENERGY_SCALES) as EnergyScaleName[];
const ALL_CLASSES = [...new Set(SCALES.flatMap((scale): readonly string[] => ENERGY_SCALES[scale].classes))];

/** The spellings of one class in feeds. */
const SPELLINGS: readonly [string, (letter: string) => string | undefined][] = [
  ['without changes', (letter) => letter],
  ['in lower case', (letter) => letter.toLowerCase()],
  ['between blanks', (letter) => `  ${letter} `],
  ['with a blank before its sign', (letter) => letter.replace(/^(.)/, '$1 ')],
  ['as a word', (letter) => letter.replaceAll('+', ' plus').replaceAll('-', ' moins')],
  ['as a constant', (letter) => letter.replaceAll('+', '_PLUS').replaceAll('-', '_MINUS')],
  [
    'with one underscore and a P for each plus',
    (letter) => letter.replace(/\++/, (signs) => `_${'P'.repeat(signs.length)}`).replace('-', '_M'),
  ],
  ['with an underscore and a P for each plus', (letter) => letter.replaceAll('+', '_P').replace('-', '_M')],
  ['after the word Classe', (letter) => `Classe ${letter}`],
  ['after the words Energy label', (letter) => `Energy label: ${letter}`],
  ['before its value and unit', (letter) => `${letter} (120,5 kWh/m²/an)`],
  ['before its value without a unit', (letter) => `${letter} 210`],
];

describe('readEnergyClass', () => {
  describe.each(SCALES)('on the scale %s', (scale) => {
    const classes: readonly string[] = ENERGY_SCALES[scale].classes;

    it.each(SPELLINGS)('recognizes a class written %s', (_how, write) => {
      for (const one of classes) {
        const written = write(one);
        if (written !== undefined) expect([written, readEnergyClass(written, scale)]).toEqual([written, one]);
      }
    });

    it.each(SPELLINGS)('rejects a class that only other scales have, written %s', (_how, write) => {
      for (const one of ALL_CLASSES.filter((other) => !classes.includes(other))) {
        const written = write(one);
        if (written !== undefined) expect([written, readEnergyClass(written, scale)]).toEqual([written, undefined]);
      }
    });
  });

  it.each(['', 'A+++++', 'J', 'AB', 'A-G', 'A/B', 'A (A+)', 'B-120', 'Appartement', 'A5', 'A0', 'C.D', '120', 'VI'])(
    'reads no class from "%s"',
    (word) => {
      for (const scale of SCALES) expect(readEnergyClass(word, scale)).toBeUndefined();
    },
  );

  it('rejects a digit that the scale does not have', () => {
    expect(readEnergyClass('B 3', 'FR-DPE')).toBeUndefined();
    expect(readEnergyClass('B 3', 'IE-BER')).toBe('B3');
  });
});

describe('energyScaleOf', () => {
  it.each([
    ['FR', undefined, 'FR-DPE'],
    ['RE', '97400', 'FR-DPE'],
    ['GB', undefined, 'UK-EPC'],
    ['BE', '1050', 'BE-BRU'],
    ['BE', '1300', 'BE-WAL'],
    ['BE', '1500', 'BE-VLG'],
    ['BE', '3999', 'BE-VLG'],
    ['BE', '4000', 'BE-WAL'],
    ['BE', '7999', 'BE-WAL'],
    ['BE', '9000', 'BE-VLG'],
    ['BE', undefined, undefined],
    ['BE', '50', undefined],
    ['US', undefined, undefined],
    [undefined, '75001', undefined],
  ])('maps country %s and postcode %s to %s', (country, postcode, scale) => {
    expect(energyScaleOf(country, postcode)).toBe(scale);
  });
});
