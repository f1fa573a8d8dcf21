import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

function result(members: object): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('omnicasa');
  const record = { ID: 1, Status: 1, Goal: 1, Price: 1200, ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(record)), context), warnings };
}

function read(members: object): Listing {
  const outcome = result(members);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.listing;
}

it.each(['Loué', 'LOUÉ', 'Louée', 'Loué !', '*** VENDU ***', 'Déjà vendu', 'Net verkocht', 'Let'])(
  'Omnicasa connector does not show a property with the label %j',
  (label) => {
    expect(result({ MarqueeName: label })).toMatchObject({ withdrawn: '1' });
    expect(result({ SubStatusName: label })).toMatchObject({ withdrawn: '1' });
  },
);

it.each([
  'Verkocht onder voorbehoud',
  'VERHUURD ONDER VOORBEHOUD',
  'Vendu sous conditions suspensives',
  'Vendu sous réserve',
  'Sold STC',
  'Verkauft unter Vorbehalt',
])('Omnicasa connector shows a property with the label %j as under offer', (label) => {
  expect(read({ MarqueeName: label })).toMatchObject({ affId: '1', sousOffre: true });
  expect(read({ SubStatusName: label })).toMatchObject({ affId: '1', sousOffre: true });
});

it('Omnicasa connector does not show a property with one label for sold under reserve and another label for sold', () => {
  expect(result({ SubStatusName: 'Verkocht onder voorbehoud', MarqueeName: 'Verkocht' })).toMatchObject({
    withdrawn: '1',
  });
});

it.each(['Prix sous conditions suspensives', 'Prijs onder voorbehoud'])(
  'Omnicasa connector does not read a reserve that is not about a sale (%j) as under offer',
  (label) => {
    expect(read({ MarqueeName: label })).not.toHaveProperty('sousOffre');
  },
);

it.each(['À louer', 'Let op: nieuw', 'Nouveau prix', 'Vendeur pressé', 'Verkoop'])(
  'Omnicasa connector shows a property with the label %j',
  (label) => {
    expect(result({ MarqueeName: label })).toMatchObject({ listing: { affId: '1' } });
  },
);

it.each([
  ['€ annuel', 100, 'an'],
  ['€ p.a.', 100, 'an'],
  ['€/año', 100, 'an'],
  ['annual', 100, 'an'],
  ['hebdomadaire', 5200, 'semaine'],
  ['€/trim.', 400, 'trimestre'],
  ['€ par mois', 1200, undefined],
  ['EUR', 1200, undefined],
])('Omnicasa connector reads a rent in %j as %d a month', (unit, loyer, loyerPeriode) => {
  expect(read({ PriceUnitText: unit })).toMatchObject({ loyer, ...(loyerPeriode && { loyerPeriode }) });
});

it.each(['€ par mètre carré', 'EUR / qm', 'per vierkante meter', '€/sqm', '€/m²/an', '€/saison', 'per weekend'])(
  'Omnicasa connector omits a rent with the unit %j, and warns about it',
  (unit) => {
    const outcome = result({ PriceUnitText: unit });
    expect(outcome.warnings).toEqual([`implausible_value PriceUnitText ${unit}`]);
    expect(outcome).not.toHaveProperty('listing.loyer');
    expect(outcome).not.toHaveProperty('listing.prixSurDemande');
  },
);

it.each([
  ['Niet-ingericht', false],
  ['Non-équipée', false],
  ['Unfitted', false],
  ['Volledig ingericht', true],
  ['Hyper équipée', true],
])('Omnicasa connector reads a kitchen that is %j as fitted: %s', (KitchenName, isFitted) => {
  expect(read({ KitchenName }).cuisineEquipee).toBe(isFitted);
});
