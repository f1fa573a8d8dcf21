import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';
import { townOf } from './constants';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

type Transfer = Record<string, unknown>;
const SALE: Transfer = { status: 'BESCHIKBAAR', koopprijs: 425_000, koopconditie: 'KOSTEN_KOPER' };
const LET: Transfer = { status: 'BESCHIKBAAR', huurprijs: 1_200, huurconditie: 'PER_MAAND' };

function result(members: object, settings: Record<string, string> = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('realworks', { settings });
  const record = { id: 9, object: { type: { objecttype: 'WOONHUIS' } }, ...members };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(record)), context), warnings };
}

function read(members: object, settings?: Record<string, string>): Listing {
  const outcome = result(members, settings);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.listing;
}

const offered = (overdracht: Transfer): { financieel: object } => ({ financieel: { overdracht } });

describe('postcode of a Realworks object', () => {
  it.each([
    ['1962 VA', 'Nederland', '1962'],
    [' 1962va ', 'Nederland', '1962'],
    ['1962-VA', 'Nederland', '1962'],
    ['1962 V A', 'Nederland', '1962'],
    ['80331', 'Duitsland', '80331'],
    ['2000', 'BE', '2000'],
  ])('is reduced from %j to the district when the address is hidden', (postcode, land, district) => {
    expect(read({ adres: { postcode, land } }).codePostal).toBe(district);
    expect(read({ adres: { postcode, land } }, { 'publier-adresse': 'ja' }).codePostal).toBe(postcode.trim());
  });
});

describe('Realworks object', () => {
  it.each([
    [{ status: 'VERKOCHT' }, 'status: sold'],
    [{ status: 'VERHUURD' }, 'status: let'],
    [{ status: 'GEVEILD' }, 'status: auctioned'],
    [{ status: 'INGETROKKEN' }, 'status: withdrawn'],
    [{ status: 'GEANNULEERD' }, 'status: cancelled'],
    [{ status: 'PROSPECT' }, 'status: a prospect'],
    [{ status: 'GEARCHIVEERD' }, 'status: archived'],
  ])('is not shown when its offer has %j', (overdracht, message) => {
    expect(result(offered({ ...SALE, ...overdracht }))).toMatchObject({ withdrawn: '9', message });
  });

  it.each([
    [{ vertrouwelijk: true }, 'vertrouwelijk: confidential'],
    [{ actief: false }, 'actief: not active'],
  ])('is not shown when it has %j', (members, message) => {
    expect(result({ ...offered(SALE), ...members })).toMatchObject({ withdrawn: '9', message });
  });

  it.each(['ONDER_BOD', 'ONDER_OPTIE', 'VERKOCHT_ONDER_VOORBEHOUD', 'VERHUURD_ONDER_VOORBEHOUD'])(
    'is shown as under offer when it has the status %s',
    (status) => {
      expect(read(offered({ ...SALE, status })).sousOffre).toBe(true);
    },
  );

  it('is published with a warning when its status is unknown', () => {
    expect(result(offered({ ...SALE, status: 'IN_VEILING' }))).toMatchObject({
      listing: { affId: '9', prix: 425_000 },
      warnings: ['unknown_word financieel.overdracht.status IN_VEILING'],
    });
  });
});

describe('Realworks offer', () => {
  it.each([
    [SALE, { typeTransaction: 'vente', prix: 425_000, prixMention: 'k.k.' }],
    [
      { ...SALE, koopconditie: 'VRIJ_OP_NAAM', koopprijsvoorvoegsel: 'VASTE_PRIJS' },
      { prixMention: 'vaste prijs, v.o.n.' },
    ],
    [{ ...SALE, koopprijsvoorvoegsel: 'VRAAGPRIJS' }, { prixMention: 'k.k.' }],
    [LET, { typeTransaction: 'location', loyer: 1_200 }],
    [
      { ...SALE, ...LET },
      { typeTransaction: 'vente', prix: 425_000 },
    ],
    [
      { ...LET, huurprijs: 24_000, huurconditie: 'PER_JAAR' },
      { loyer: 2_000, loyerPeriode: 'an' },
    ],
    [
      { ...SALE, koopprijs: 1 },
      { typeTransaction: 'vente', prixSurDemande: true },
    ],
    [
      { ...SALE, koopprijs: 0 },
      { typeTransaction: 'vente', prixSurDemande: true },
    ],
    [{ aanmeldingsreden: 'IN_VERHUUR_GENOMEN' }, { typeTransaction: 'location', prixSurDemande: true }],
    [{ aanmeldingsreden: 'TAXATIE' }, { typeTransaction: 'autre', prixSurDemande: true }],
  ])('is read from %j', (overdracht, expected) => {
    expect(read(offered(overdracht))).toMatchObject(expected);
  });

  it.each([
    { ...SALE, koopprijs: 987_654, koopprijsvoorvoegsel: 'PRIJS_OP_AANVRAAG' },
    { ...LET, huurprijs: 987_654, huurprijsvoorvoegsel: 'HUURPRIJS_OP_AANVRAAG' },
  ])('shows no amount when it is on request, whatever the record says: %j', (overdracht) => {
    const { listing, raw } = result(offered(overdracht)) as { listing: Listing; raw: object };
    expect(listing.prixSurDemande).toBe(true);
    expect(JSON.stringify([listing, raw])).not.toContain('987654');
  });

  it.each([
    [
      { ...SALE, huurconditie: 'PER_MAAND', huurprijs: null },
      { typeTransaction: 'vente', prix: 425_000 },
    ],
    [
      { ...SALE, ...LET, huurprijsvoorvoegsel: 'HUURPRIJS_OP_AANVRAAG' },
      { typeTransaction: 'vente', prix: 425_000 },
    ],
    [
      { ...LET, koopconditie: 'KOSTEN_KOPER' },
      { typeTransaction: 'location', loyer: 1_200 },
    ],
  ])('is not on request when the main offer has an amount and only the other has none: %j', (overdracht, expected) => {
    const listing = read(offered(overdracht));
    expect(listing).toMatchObject(expected);
    expect(listing).not.toHaveProperty('prixSurDemande');
  });

  it.each([
    [{ ...SALE, koopprijs: -1 }, 'koopprijs'],
    [{ ...LET, huurprijs: '-1' }, 'huurprijs'],
  ])('has no amount, is not on request, and causes a warning when the amount is -1: %j', (overdracht, member) => {
    const { listing, warnings } = result(offered(overdracht)) as { listing: Listing; warnings: string[] };
    expect([listing.prix, listing.loyer, listing.prixSurDemande]).toEqual([undefined, undefined, undefined]);
    expect(warnings).toEqual([`implausible_value financieel.overdracht.${member} -1`]);
  });

  it('has no rent, and is not on request, when the rent is per square metre', () => {
    const outcome = result(offered({ ...LET, huurconditie: 'PER_VIERKANTE_METERS_PER_JAAR' }));
    const { listing, warnings } = outcome as { listing: Listing; warnings: string[] };
    expect(listing).not.toHaveProperty('loyer');
    expect(listing).not.toHaveProperty('prixSurDemande');
    expect(warnings).toEqual(['implausible_value financieel.overdracht.huurconditie PER_VIERKANTE_METERS_PER_JAAR']);
  });
});

it.each([
  ['A', 'A'],
  ['A_P', 'A+'],
  ['A_PP', 'A++'],
  ['A_PPP', 'A+++'],
  ['A_PPPP', 'A++++'],
  ['A+++', 'A+++'],
  ['G', 'G'],
])('Realworks connector reads the energy class %s as %s', (energieklasse, classe) => {
  const listing = read({ ...offered(SALE), algemeen: { energieklasse, energiedatum: '2029-07-18' } });
  expect(listing.energie).toEqual([
    { pays: 'NL', echelle: 'NL-EPL', grandeur: 'energie-primaire', classe, valableJusque: '2029-07-18' },
  ]);
});

it('Realworks connector omits an energy class outside the Dutch scale, and warns about it', () => {
  const { listing, warnings } = result({ ...offered(SALE), algemeen: { energieklasse: 'H' } }) as {
    listing: Listing;
    warnings: string[];
  };
  expect(listing).not.toHaveProperty('energie');
  expect(warnings).toEqual(['unknown_word algemeen.energieklasse H']);
});

it.each([
  ['HEEMSKERK', 'Heemskerk'],
  ["'S-HERTOGENBOSCH", "'s-Hertogenbosch"],
  ["'T HARDE", "'t Harde"],
  ['BERGEN OP ZOOM', 'Bergen op Zoom'],
  ['IJSSELSTEIN', 'IJsselstein'],
  ['DE BILT', 'De Bilt'],
  ['ALPHEN AAN DEN RIJN', 'Alphen aan den Rijn'],
  ['CAPELLE AAN DEN IJSSEL', 'Capelle aan den IJssel'],
  ['SINT-OEDENRODE', 'Sint-Oedenrode'],
  ['Den Haag', 'Den Haag'],
  [undefined, undefined],
])('Realworks connector writes the town %s as %s', (written, town) => {
  expect(townOf(written)).toBe(town);
});

describe('Realworks floors', () => {
  const withFloors = (etages: unknown): Listing => read({ ...offered(SALE), detail: { etages } });

  it('give the total number of bedrooms and bathrooms', () => {
    const listing = withFloors([
      { aantalSlaapkamers: 0, badkamers: [] },
      { aantalSlaapkamers: 3, badkamers: [{}, {}] },
      { aantalSlaapkamers: null, badkamers: null },
    ]);
    expect(listing).toMatchObject({ nbreChambres: 3, nbreSallesDeBain: 2 });
  });

  it.each([null, [], [{ aantalSlaapkamers: 0, badkamers: [] }], 'x'])(
    'give no number of rooms when no floor counts any: %j',
    (etages) => {
      expect(withFloors(etages)).not.toHaveProperty('nbreChambres');
      expect(withFloors(etages)).not.toHaveProperty('nbreSallesDeBain');
    },
  );
});

describe('Realworks photos', () => {
  const photo = (volgnummer: number, changes: object = {}): object => ({
    ...{ soort: 'FOTO', vrijgave: true, mimetype: 'image/jpeg', volgnummer },
    link: `https://images.example.org/${volgnummer}.jpg?check=a`,
    ...changes,
  });

  it('begin with the main photo, request a size, and omit unreleased photos', () => {
    const media = [photo(2), photo(3, { soort: 'HOOFDFOTO' }), photo(1), photo(4, { vrijgave: false })];
    expect(read({ ...offered(SALE), media }).photos.map(({ url }) => url)).toEqual(
      [3, 1, 2].map((number) => `https://images.example.org/${number}.jpg?check=a&width=1920&height=1920`),
    );
  });

  it('do not include plans, documents and films', () => {
    const media = [
      photo(1, { soort: 'PLATTEGROND', omschrijving: 'Zolder' }),
      photo(2, { soort: 'BROCHURE', mimetype: 'application/pdf', link: 'https://images.example.org/2.pdf' }),
      photo(3, { soort: 'VIDEO', link: 'https://film.example.org/3' }),
    ];
    expect(read({ ...offered(SALE), media })).toMatchObject({
      photos: [],
      plans: [{ url: 'https://images.example.org/1.jpg?check=a&width=1920&height=1920', titre: 'Zolder' }],
      documents: [{ url: 'https://images.example.org/2.pdf' }],
      video: 'https://film.example.org/3',
    });
  });
});

it('Realworks connector hides street and parcel unless the operator shows them', () => {
  const members = {
    ...offered(SALE),
    adres: { straat: 'Voorbeeldlaan', huisnummer: { hoofdnummer: '2', toevoeging: 'C' }, plaats: 'UTRECHT' },
    detail: { kadaster: [{ kadastergegevens: { perceel: '10944', eigendomssoort: 'VOLLE_EIGENDOM' } }] },
  };
  const { listing, raw } = result(members) as { listing: Listing; raw: object };
  expect(JSON.stringify([listing, raw])).not.toMatch(/Voorbeeldlaan|10944/);
  expect(listing).toMatchObject({ ville: 'Utrecht', regimePropriete: 'volle eigendom' });
  expect(read(members, { 'publier-adresse': 'oui' }).adresse).toBe('Voorbeeldlaan 2 C');
});

it.each([
  [['GEMEUBILEERD'], true],
  [['GESTOFFEERD'], false],
  [['KAAL'], false],
  [[], undefined],
])('Realworks connector reads a rental that is %j as furnished: %s', (huurspecificaties, meuble) => {
  expect(read(offered({ ...LET, huurspecificaties })).meuble).toBe(meuble);
});

it('Realworks connector does not read public parking as a parking space of the property', () => {
  const withParking = (buitenruimte: object): Listing => read({ ...offered(SALE), detail: { buitenruimte } });
  const street = withParking({ garagesoorten: ['GEEN_GARAGE'], parkeerfaciliteiten: ['OPENBAAR_PARKEREN'] });
  expect(street).not.toHaveProperty('parking');
  expect(withParking({ parkeerfaciliteiten: ['OP_EIGEN_TERREIN'] }).parking).toBe(true);
  expect(withParking({ garagesoorten: ['AANGEBOUWD_STEEN'] }).parking).toBe(true);
  expect(withParking({ garagesoorten: ['GARAGE_MOGELIJK'] })).not.toHaveProperty('parking');
});

it.each([null, 7, 'x', [], { x: 1 }])(
  'Realworks connector maps a record in which a member is %j instead of an object',
  (value) => {
    const names = ['object', 'adres', 'algemeen', 'detail', 'media', 'diversen', 'financieel', 'teksten'];
    const outcome = result(Object.fromEntries(names.map((name) => [name, value])));
    expect(outcome).toMatchObject({ listing: { affId: '9', photos: [] } });
  },
);
