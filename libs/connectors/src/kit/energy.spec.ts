import { ENERGY_SCALES, type EnergyScaleName } from '@passerelle/domain';
import { energyFields, type GivenCertificate } from './energy';
import { recordingContext } from '../../../../test/support/connectors/recording-context';

function read(given: GivenCertificate): { fields: ReturnType<typeof energyFields>; warnings: readonly string[] } {
  const { context, warnings } = recordingContext('demo');
  return { fields: energyFields(given, context), warnings };
}

const POSTCODES: Partial<Record<EnergyScaleName, string>> = { 'BE-VLG': '9000', 'BE-WAL': '4000', 'BE-BRU': '1000' };

describe('an energy certificate', () => {
  it.each(Object.keys(ENERGY_SCALES) as EnergyScaleName[])(
    'with the scale %s keeps every class of that scale',
    (echelle) => {
      const { countries, classes, quantities } = ENERGY_SCALES[echelle];
      for (const pays of countries) {
        for (const classe of classes) {
          const { fields, warnings } = read({
            ...{ pays, codePostal: POSTCODES[echelle] },
            figures: [{ field: 'class', classe }],
          });
          const isFrench = echelle === 'FR-DPE';
          expect(warnings).toEqual([]);
          expect(fields).toEqual({
            energie: [{ pays, echelle, grandeur: quantities[0], classe }],
            ...(isFrench && { dpeClasse: classe }),
          });
        }
      }
    },
  );

  it.each([
    ['FR', 'H', 'energie-primaire'],
    ['FR', 'A+', 'energie-primaire'],
    ['ES', '5', 'energie-primaire'],
    ['DE', 'A++', 'energie-finale'],
    ['IT', 'A', 'energie-primaire'],
    ['US', 'C', 'energie-primaire'],
    ['BE', 'C', 'energie-primaire'],
    [undefined, 'C', 'energie-primaire'],
  ])('from %s omits the unknown class %s, with a warning', (pays, classe, grandeur) => {
    const { fields, warnings } = read({
      pays,
      figures: [{ field: 'class', classe, ...(pays === undefined ? {} : { valeur: 90 }) }],
    });
    expect(warnings).toEqual([`unknown_word class ${classe}`]);
    const echelle = { FR: 'FR-DPE', ES: 'ES-CEE', DE: 'DE-GEG', IT: 'IT-APE' }[pays ?? ''];
    const figure = { pays, ...(echelle && { echelle }), grandeur, valeur: 90, unite: 'kWh/m²/an' };
    expect(fields).toMatchObject(pays === undefined ? {} : { energie: [figure] });
  });

  it('omits the class of a quantity that its scale does not measure, and keeps the value', () => {
    const { fields, warnings } = read({
      pays: 'DE',
      figures: [{ grandeur: 'emissions', field: 'ges', classe: 'B', valeur: 12 }],
    });
    expect(fields.energie).toEqual([
      { pays: 'DE', echelle: 'DE-GEG', grandeur: 'emissions', valeur: 12, unite: 'kg CO₂/m²/an' },
    ]);
    expect(warnings).toEqual(['unknown_word ges B']);
  });

  it('fills the French fields only in France', () => {
    const figures = [
      { field: 'dpe', classe: 'd', valeur: 191 },
      { grandeur: 'emissions' as const, field: 'ges', classe: 'E', valeur: 42 },
      { grandeur: 'energie-finale' as const, field: 'final', valeur: 120 },
    ];
    const { energie, ...french } = read({ pays: 'FR', figures }).fields;
    expect([energie?.length, french]).toEqual([3, { dpeClasse: 'D', dpeValeur: 191, gesClasse: 'E', gesValeur: 42 }]);
    expect(Object.keys(read({ pays: 'ES', figures }).fields)).toEqual(['energie']);
  });

  it('fills `dpeValeur` only from a value per m² and year', () => {
    const figures = [{ field: 'dpe', classe: 'D', valeur: 60, unite: 'kWh/m³/an' }];
    const { energie, ...french } = read({ pays: 'FR', figures }).fields;
    expect([energie?.[0]?.valeur, french]).toEqual([60, { dpeClasse: 'D' }]);
  });

  it.each([
    ['FR', 'VI', 'vierge', 'VI'],
    ['FR', 'non soumis', 'non-soumis', 'NS'],
    ['ES', 'En trámite', 'en-cours', undefined],
    ['ES', 'exento', 'non-soumis', undefined],
  ])('from %s may have the status word %s instead of a class', (pays, classe, statut, dpeClasse) => {
    const { fields, warnings } = read({ pays, figures: [{ field: 'class', classe }] });
    expect([fields.energie?.[0]?.statut, fields.dpeClasse, warnings]).toEqual([statut, dpeClasse, []]);
  });

  it.each(['NC', 'x', '', '-', undefined])('is absent when its class is %j', (classe) => {
    expect(read({ pays: 'FR', figures: [{ field: 'class', classe }] })).toEqual({ fields: {}, warnings: [] });
  });

  it('causes a warning when it has a value but no country', () => {
    expect(read({ pays: undefined, figures: [{ field: 'value', valeur: 90 }] })).toEqual({
      ...{ fields: {}, warnings: ['implausible_value value 90 without a country'] },
    });
  });
});

describe('an energy value of zero or below', () => {
  it.each([
    ['BE', '9000', 'A+', -12, -12, []],
    ['BE', '9000', 'A+', 0, 0, []],
    ['BE', '9000', 'C', 0, undefined, ['implausible_value value 0 with class C']],
    ['BE', '9000', undefined, -12, undefined, ['implausible_value value -12']],
    ['BE', '9000', undefined, 0, undefined, []],
    ['FR', '75001', 'A', -12, undefined, ['implausible_value value -12 with class A']],
  ] as const)('in %s %s with class %s: %d is %s', (pays, codePostal, classe, valeur, expected, noticed) => {
    const given = { field: 'class', valueField: 'value', classe, valeur };
    const { fields, warnings } = read({ pays, codePostal, figures: [given] });
    expect([fields.energie?.[0]?.valeur, warnings]).toEqual([expected, noticed]);
  });
});
