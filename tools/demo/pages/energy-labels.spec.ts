import { ENERGY_SCALES, type EnergyScaleName, type Listing } from '@passerelle/domain';
import { energyLabels, mentionList } from './energy-labels';

const SCALES = Object.entries(ENERGY_SCALES).map(([name, scale]) => ({ name: name as EnergyScaleName, ...scale }));
const aListing = (fields: Partial<Listing>): Listing => ({ affId: '1', passerelleName: 'x', photos: [], ...fields });

describe('an energy label', () => {
  it.each(SCALES)('of $name has each class of its scale once, and says which one the listing has', (scale) => {
    const { name: echelle, classes, quantities, countries } = scale;
    for (const classe of classes) {
      const energie = [{ pays: countries[0], echelle, grandeur: quantities[0], classe, valeur: 123, unite: 'kWh' }];
      const page = String(energyLabels(aListing({ pays: countries[0], energie })));
      const drawn = [...page.matchAll(/>\s*([A-I][1-4]?[+-]*)\s*<\/text\s*>/g)].map(([, one]) => one);
      expect([classe, drawn]).toEqual([classe, [...classes]]);
      expect(page).toMatch(/<svg\s+role="img"\s+aria-label="[^"]+"/);
      expect(page.match(/aria-label="([^"]+)"/)?.[1]).toContain(`: ${classe}, 123 kWh`);
      expect(page).not.toMatch(/<image|href=|url\(/);
    }
  });

  it.each(SCALES.filter(({ name }) => name !== 'FR-DPE'))('of $name is none of France', (scale) => {
    const { name: echelle, quantities, countries } = scale;
    const energie = [{ pays: countries[0], echelle, grandeur: quantities[0], classe: 'B' }];
    expect(String(energyLabels(aListing({ energie })))).not.toMatch(/DPE|GES|Diagnostic/);
  });

  it('is not drawn without a class, and says in words why there is none', () => {
    const energie = [{ pays: 'ES', echelle: 'ES-CEE', grandeur: 'energie-primaire', statut: 'en-cours' }] as const;
    const page = String(energyLabels(aListing({ energie: [...energie] })));
    expect(page).not.toContain('<svg');
    expect(page).toContain('Consumo: en trámite');
    expect(energyLabels(aListing({}))).toBeNull();
  });
});

it('a mention is in its language, and escaped', () => {
  const mention = { code: 'c', pays: 'ES', langue: 'es', texte: '<b>a</b>', source: '"x"' };
  expect(String(mentionList(aListing({ mentions: [mention] })))).toContain(
    '<li lang="es" title="&quot;x&quot;">&lt;b&gt;a&lt;/b&gt;</li>',
  );
});
