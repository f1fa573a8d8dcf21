import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

function result(elements: object, beside: object = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('onoffice', {});
  const usual = { objektart: 'haus', vermarktungsart: 'kauf', kaufpreis: '300000.00', land: 'DEU' };
  const record = { id: 1, elements: { ...usual, ...elements }, ...beside };
  return { ...readRecord(connector, Buffer.from(JSON.stringify(record)), context), warnings };
}

function read(elements: object, beside?: object): Listing {
  const outcome = result(elements, beside);
  if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.listing;
}

describe('onOffice estate', () => {
  it.each([
    [{ verkauft: '1' }, 'verkauft: sold or let'],
    [{ referenz: '1' }, 'referenz: shown as a reference'],
    [{ status: '0' }, 'status: archived'],
    [{ status: 2 }, 'status: inactive'],
    [{ veroeffentlichen: '0' }, 'veroeffentlichen: not for the website'],
  ])('is not shown when it has %j', (elements, message) => {
    expect(result(elements)).toMatchObject({ withdrawn: '1', message });
  });

  it('is published with a warning when its status is unknown', () => {
    expect(result({ status: '7' })).toMatchObject({
      listing: { affId: '1' },
      warnings: ['unknown_word elements.status 7'],
    });
  });
});

describe('onOffice address', () => {
  const street = { strasse: 'Musterallee', hausnummer: '3', breitengrad: '50.7', laengengrad: '6.1' };
  const other = {
    virtualStreet: 'Hafenweg',
    virtualHouseNumber: '1',
    virtualLatitude: '55.0',
    virtualLongitude: '8.4',
  };

  it('is shown when the agency releases it', () => {
    const { listing, raw } = result({ ...street, objektadresse_freigeben: '1' }) as { listing: Listing; raw: object };
    expect(listing).toMatchObject({ adresse: 'Musterallee 3', latitude: 50.7 });
    expect(JSON.stringify(raw)).toContain('Musterallee');
  });

  it.each([{}, { objektadresse_freigeben: '0' }, { objektadresse_freigeben: '' }])('is hidden with %j', (release) => {
    const { listing, raw } = result({ ...street, ...release }) as { listing: Listing; raw: object };
    expect([listing.adresse, listing.latitude]).toEqual([undefined, undefined]);
    expect(JSON.stringify(raw)).not.toMatch(/Musterallee|50\.7/);
  });

  it('is the virtual address when the agency shows one, even when it also releases the true address', () => {
    const virtual = { ...street, ...other, virtualAddress: '1', objektadresse_freigeben: '1' };
    const { listing, raw } = result(virtual) as { listing: Listing; raw: object };
    expect(listing).toMatchObject({ adresse: 'Hafenweg 1', latitude: 55, longitude: 8.4 });
    expect(JSON.stringify(raw)).not.toMatch(/Musterallee|50\.7/);
  });
});

describe('onOffice rent', () => {
  const rent = (elements: object): Listing => read({ vermarktungsart: 'miete', kaufpreis: '', ...elements });

  it.each<[string, object, number]>([
    ['the warm rent', { kaltmiete: '800.00', nebenkosten: '150.00', warmmiete: '1020.00' }, 1020],
    ['the cold rent plus charges', { kaltmiete: '800.00', nebenkosten: '150.00' }, 950],
    ['the cold rent plus charges and heating', { kaltmiete: '800', nebenkosten: '150', heizkosten: '70' }, 1020],
    [
      'the cold rent plus charges when the charges include heating',
      { kaltmiete: '800', nebenkosten: '150', heizkosten: '70', heizkosten_in_nebenkosten: '1' },
      950,
    ],
    [
      'the cold rent when it already includes the charges',
      { nettokaltmiete: '640', nebenkosten: '110', kaltmiete: '750' },
      750,
    ],
    ['the net cold rent when it is the only amount', { nettokaltmiete: '640.00' }, 640],
    ['the amount of a lease', { vermarktungsart: 'pacht', pacht: '2500.00' }, 2500],
  ])('is %s', (_what, elements, loyer) => {
    expect(rent(elements)).toMatchObject({ typeTransaction: 'location', loyer });
  });

  it('shows no amount, and no part of the amount, when it is on request', () => {
    const hidden = { vermarktungsart: 'miete', preisAufAnfrage: '1', kaltmiete: '990.00', nebenkosten: '100' };
    const { listing, raw } = result(hidden) as { listing: Listing; raw: object };
    expect(JSON.stringify(raw)).not.toMatch(/990|300000/);
    expect(listing.prixSurDemande).toBe(true);
    expect(JSON.stringify(listing)).not.toMatch(/990|"charges"/);
  });

  it('is absent for a house for sale, even when the agency noted the rent of the tenant', () => {
    expect(read({ kaltmiete: '900.00' })).not.toHaveProperty('loyer');
  });
});

it.each([
  ['3,57 % inkl. MwSt.', { honoraires: 3.57, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' }],
  ['4500', { honoraires: 4500, honorairesUnite: 'montant' }],
])('onOffice connector reads the fee of "%s" as paid by the buyer', (aussen_courtage, fee) => {
  expect(read({ provisionspflichtig: '1', aussen_courtage })).toMatchObject(fee);
});

it.each([{ aussen_courtage: '2' }, { aussen_courtage: '3,57 %', courtage_frei: '1' }])(
  'onOffice connector reads %j as no fee',
  (elements) => {
    expect(read(elements)).not.toHaveProperty('honoraires');
  },
);

describe('onOffice energy certificate', () => {
  it.each([
    ['DEU', { energyClass: 'H' }, { echelle: 'DE-GEG', grandeur: 'energie-finale', classe: 'H' }],
    ['AUT', { hwbklasse: 'A++', hwbwert: '12' }, { echelle: 'AT-EAVG', grandeur: 'besoin-chauffage', classe: 'A++' }],
    ['CHE', { energyClass: 'D' }, { echelle: 'CH-GEAK', grandeur: 'energie-primaire', classe: 'D' }],
    ['ESP', { energieeffizienzklasse: 'E' }, { echelle: 'ES-CEE', classe: 'E' }],
  ])('from %s is on the scale of that country', (land, elements, figure) => {
    expect(read({ land, ...elements }).energie?.[0]).toMatchObject(figure);
  });

  it('puts the value by need first when the certificate is by need', () => {
    const elements = { endenergiebedarf: '250,4 kWh', energieverbrauchskennwert: '90' };
    expect(read({ ...elements, energieausweistyp: 'Endenergiebedarf' }).energie?.map(({ valeur }) => valeur)).toEqual([
      250.4, 90,
    ]);
    expect(read(elements).energie?.map(({ valeur }) => valeur)).toEqual([90, 250.4]);
  });

  it('omits a class that no German certificate has, with a warning', () => {
    expect(result({ energyClass: 'Z' })).toMatchObject({ warnings: ['unknown_word elements.energyClass Z'] });
  });
});

it('onOffice connector puts the title picture first, and does not list plans and films as photos', () => {
  const picture = (type: string, name: string): object => ({ type, url: `https://image.example/${name}`, title: name });
  const pictures = [
    picture('Foto', 'b.jpg'),
    picture('Grundriss', 'p.jpg'),
    picture('Titelbild', 'a.jpg'),
    picture('Film-Link', 'f'),
  ];
  expect(read({}, { pictures })).toMatchObject({
    photos: [{ legende: 'a.jpg' }, { legende: 'b.jpg' }],
    plans: [{ url: 'https://image.example/p.jpg' }],
    video: 'https://image.example/f',
  });
});

it("onOffice connector shows words of a client's custom lists as their labels, never as their keys", () => {
  const { context, warnings } = recordingContext('onoffice', {
    feed: { labels: { zustand: { indA1Select2: 'Wie neu' } } },
  });
  const of = (zustand: string): Listing => {
    const outcome = readRecord(connector, Buffer.from(JSON.stringify({ id: 1, elements: { zustand } })), context);
    if (!('listing' in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome.listing;
  };
  expect(of('indA1Select2').etat).toBe('Wie neu');
  expect(of('indA1Select3')).not.toHaveProperty('etat');
  expect(warnings).toContain('unknown_word elements.zustand indA1Select3');
});

it.each([null, 7, 'x', [], { x: 1 }])('onOffice connector accepts elements that are %j', (elements) => {
  const { context } = recordingContext('onoffice', {});
  const outcome = readRecord(
    connector,
    Buffer.from(JSON.stringify({ id: 1, elements, pictures: elements, translations: elements, contact: elements })),
    context,
  );
  expect(outcome).toMatchObject({ listing: { affId: '1', photos: [] } });
});

it('onOffice connector also hides an amount on request in words and in a ground rent', () => {
  const amounts = { freitext_preis: '450.000 € VB', erbpacht: '2500.00' };
  expect(read(amounts)).toMatchObject({ prixMention: '450.000 € VB', redevanceFonciere: { montant: 2500 } });
  expect(JSON.stringify(result({ ...amounts, preisAufAnfrage: '1' }))).not.toMatch(/450\.000|2500/);
});
