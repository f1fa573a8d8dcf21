import { ENERGY_SCALES, type EnergyScaleName, type Listing } from '@passerelle/domain';
import { energyLabels } from './energy';

const SCALES = Object.entries(ENERGY_SCALES).map(([name, scale]) => ({ name: name as EnergyScaleName, ...scale }));
const labelOf = (energie: Listing['energie']): string =>
  energyLabels({ affId: '1', passerelleName: 'x', photos: [], ...(energie !== undefined && { energie }) }).join('');

describe('energyLabels', () => {
  it.each(SCALES)(
    'draws each class of $name once, and states the class of the listing',
    ({ name: echelle, ...scale }) => {
      const [pays, grandeur] = [scale.countries[0], scale.quantities[0]];
      for (const classe of scale.classes) {
        const label = labelOf([{ pays, echelle, grandeur, classe, valeur: 123, unite: 'kWh' }]);
        const drawn = [...label.matchAll(/>\s*([A-I][1-4]?[+-]*)\s*<\/text\s*>/g)].map(([, one]) => one);
        expect([classe, drawn]).toEqual([classe, [...scale.classes]]);
        expect(label.match(/aria-label="([^"]+)"/)?.[1]).toContain(` : ${classe}, 123 kWh`);
        expect(label).not.toMatch(/<image|href=|url\(/);
      }
    },
  );

  it('draws nothing without a class, and explains why there is none', () => {
    const figure = { pays: 'ES', echelle: 'ES-CEE', grandeur: 'energie-primaire', statut: 'en-cours' } as const;
    expect(labelOf([figure])).toMatch(/^(?!.*<svg).*Énergie : en cours/s);
    expect(labelOf(undefined)).toBe('');
  });
});
