import { readDropped } from '../../../../test/support/connectors/read-dropped';
import type { Connector } from '../kit/contracts';
import { connector as openimmo } from '../sources/openimmo/connector';
import { connector as realworks } from '../sources/realworks/connector';
import { connector as reapit } from '../sources/reapit/connector';
import { connector as reso } from '../sources/reso/connector';

const object = (ways: string): string =>
  `<openimmo><uebertragung umfang="VOLL"/><anbieter><openimmo_anid>A</openimmo_anid><immobilie><objektkategorie>
  <vermarktungsart ${ways}/></objektkategorie><preise><kaufpreis>500000</kaufpreis><nettokaltmiete>1500</nettokaltmiete>
  </preise><verwaltung_techn><openimmo_obid>L1</openimmo_obid></verwaltung_techn></immobilie></anbieter></openimmo>`;
const PROPERTY = {
  ...{ id: 'R1', marketingMode: 'sellingAndLetting', internetAdvertising: true, fromArchive: false },
  selling: { price: 450000, status: 'forSale' },
  letting: { rent: 1200, rentFrequency: 'monthly', status: 'toLet' },
};
const LISTING = {
  ...{ ListingKey: 'K1', StandardStatus: 'Active', PropertyType: 'Residential', ListPrice: 900000 },
  ...{ TransactionType: 'For sale or lease', LeaseAmount: 2600, LeaseAmountFrequency: 'Monthly' },
};
const DUTCH = {
  ...{ id: 7, actief: true },
  financieel: { overdracht: { status: 'BESCHIKBAAR', koopprijs: 425000, huurprijs: 1800 } },
};
const inList = (name: string, ...records: readonly object[]): string => JSON.stringify({ [name]: records });
const read = (connector: unknown, feed: string): ReturnType<typeof readDropped> =>
  readDropped({ ...(connector as Connector), fetch: openimmo.fetch }, feed);

it.each([
  ['openimmo', openimmo, object('KAUF="1" MIETE_PACHT="1"'), ['A-L1 vente 500000', 'A-L1-location location 1500']],
  ['reapit', reapit, inList('properties', PROPERTY), ['R1 vente 450000', 'R1-location location 1200']],
  ['realworks', realworks, inList('resultaten', DUTCH), ['7 vente 425000', '7-location location 1800']],
  // The rental keeps the identifier, because it was served before; the sale comes first all the same.
  ['reso', reso, inList('value', LISTING), ['K1-vente vente 900000', 'K1 location 2600']],
] as const)('%s makes two listings from a record for sale and to let', async (_name, connector, feed, expected) => {
  const { listings, raws } = await read(connector, feed);
  expect(listings.map((one) => [one.affId, one.typeTransaction, one.prix ?? one.loyer].join(' '))).toEqual(expected);
  expect(listings.every((one) => one.prix === undefined || one.loyer === undefined)).toBe(true);
  const withoutId = raws.map((raw) => ({ ...raw, affId: '' }));
  expect(withoutId[0]).toEqual(withoutId[1]);
});

it.each([
  ['openimmo', openimmo, object('KAUF="1" MIETE_PACHT="0"'), ['A-L1']],
  ['reapit', reapit, inList('properties', { ...PROPERTY, selling: { price: 1, status: 'completed' } }), ['R1']],
  ['reso', reso, inList('value', { ...LISTING, TransactionType: 'For lease' }), ['K1']],
] as const)('%s keeps the identifier of a record with one offer', async (_name, connector, feed, ids) => {
  expect((await read(connector, feed)).listings.map(({ affId }) => affId)).toEqual(ids);
});

it('reapit reads a price range, and the share and rent of a shared ownership', async () => {
  const sale = (id: string, selling: object): object => ({ ...PROPERTY, id, marketingMode: 'selling', selling });
  const sharedOwnership = { sharedPercentage: 40, rent: 350, rentFrequency: 'monthly' };
  const feed = inList(
    'properties',
    sale('1', { price: 0, priceTo: 250000, status: 'forSale' }),
    sale('2', { price: 110000, status: 'forSale', sharedOwnership }),
  );
  const { listings } = await read(reapit, feed);
  expect(listings).toMatchObject([
    { prixPlage: { max: 250000 } },
    { prix: 110000, partAchetee: 40, loyerPart: { montant: 350, periode: 'mois' } },
  ]);
  expect(listings[0]).not.toHaveProperty('prixSurDemande');
});

it('ignores members of a record that have the names of our own marks', async () => {
  const hostile = { ...LISTING, TransactionType: 'For sale', '#offer': 'viager', '#further': true };
  const { listings, raws } = await read(reso, inList('value', hostile));
  expect(listings.map(({ affId, typeTransaction }) => [affId, typeTransaction])).toEqual([['K1', 'vente']]);
  expect(Object.keys(raws[0]!).filter((name) => name.startsWith('#'))).toEqual([]);
});
