import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import {
  type FeedSurroundings,
  readRecord,
  type RecordResult,
} from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

const VENDOR = { firma: 'Firma', openimmo_anid: 'AN-1' };
const ID = '<verwaltung_techn><openimmo_obid>O1</openimmo_obid></verwaltung_techn>';

/** Reads one `immobilie`. */
function result(content: string, { settings, feed }: FeedSurroundings = {}): RecordResult & { warnings: string[] } {
  const surroundings = { feed: { anbieter: VENDOR, ...feed }, ...(settings && { settings }) };
  const { context, warnings } = recordingContext('openimmo', surroundings);
  return { ...readRecord(connector, Buffer.from(`<immobilie>${content}</immobilie>`), context), warnings };
}

/** Reads an object that must become a listing; adds an identifier to it. */
function read(
  content: string,
  surroundings?: FeedSurroundings,
): { listing: Listing; raw: Record<string, unknown>; scope?: string; revision?: string; warnings: string[] } {
  const got = result(`${content}${ID}`, surroundings);
  if (!('listing' in got)) throw new Error(JSON.stringify(got));
  return got;
}

const techn = (content: string): string => `<verwaltung_techn>${content}</verwaltung_techn>`;
const marketing = (attributes: string, kind = '<wohnung/>'): string =>
  `<objektkategorie><vermarktungsart ${attributes}/><objektart>${kind}</objektart></objektkategorie>`;
const prices = (content: string): string => `<preise>${content}</preise>`;
const areas = (content: string): string => `<flaechen>${content}</flaechen>`;
const RENT = marketing('MIETE_PACHT="true"');
const SALE = marketing('KAUF="true"');

describe('identifier of an OpenImmo object', () => {
  it.each<[string, string, string]>([
    [
      'the agency and openimmo_obid',
      '<openimmo_obid> O1 </openimmo_obid><objektnr_extern>E1</objektnr_extern>',
      'AN-1-O1',
    ],
    [
      'the agency and the external number when there is no openimmo_obid',
      '<openimmo_obid/><objektnr_extern>00012</objektnr_extern>',
      'AN-1-00012',
    ],
    ['the agency and the internal number when there is neither', '<objektnr_intern>I1</objektnr_intern>', 'AN-1-I1'],
  ])('is built from %s', (_title, content, affId) => {
    expect(result(techn(content))).toMatchObject({ listing: { affId }, scope: 'AN-1' });
  });

  it('differs between two agencies with the same openimmo_obid', () => {
    const other = read('', { feed: { anbieter: { openimmo_anid: 'AN-2' } } });
    expect([read('').listing.affId, other.listing.affId, other.scope]).toEqual(['AN-1-O1', 'AN-2-O1', 'AN-2']);
  });

  it('ignores blanks and letter case in the id of the agency', () => {
    expect(read('', { feed: { anbieter: { openimmo_anid: ' an-1 ' } } }).scope).toBe('AN-1');
  });

  it('keeps the zeros of a reference', () => {
    expect(result(techn('<openimmo_obid>O</openimmo_obid><objektnr_extern>00012</objektnr_extern>'))).toMatchObject({
      listing: { affNum: '00012' },
    });
  });

  it.each([
    ['fr-FR', undefined, '2'],
    ['en', undefined, '1'],
    ['de-DE', undefined, '0'],
    ['es', undefined, '0'],
    ['de-DE', { langue: 'de' }, '3'],
  ])('comes with a revision that prefers the wanted language: %s', (sprache, settings, revision) => {
    const content = techn(`<openimmo_obid>O1</openimmo_obid><sprache>${sprache}</sprache>`);
    expect(result(content, settings && { settings })).toMatchObject({ listing: { affId: 'AN-1-O1' }, revision });
  });
});

describe('action for an OpenImmo object', () => {
  const action = (aktion: string): string => techn(`<openimmo_obid>O1</openimmo_obid>${aktion}`);

  it.each([
    '<aktion aktionart="DELETE"/>',
    '<aktion aktionart="delete"/>',
    '<aktion aktionart="Referenz"/>',
    '<aktion>DELETE</aktion>',
  ])('%s withdraws the object', (aktion) => {
    expect(result(action(aktion))).toMatchObject({ withdrawn: 'AN-1-O1' });
  });

  it.each([
    '',
    '<aktion/>',
    '<aktion aktionart=""/>',
    '<aktion aktionart="CHANGE"/>',
    '<aktion aktionart="change"/>',
    '<aktion aktionart="NEU"/>',
  ])('%j adds or replaces the object', (aktion) => {
    expect(result(action(aktion))).toMatchObject({ listing: { affId: 'AN-1-O1' }, warnings: [] });
  });

  it('shows the object, with a warning, when the word is unknown', () => {
    const warnings = ['unknown_word verwaltung_techn.aktion ARCHIV'];
    expect(result(action('<aktion aktionart="ARCHIV"/>'))).toMatchObject({ listing: {}, warnings });
  });

  it('withdraws the object when the transfer is a deletion', () => {
    expect(result(ID, { feed: { uebertragung: { isDeletion: true } } })).toMatchObject({ withdrawn: 'AN-1-O1' });
  });

  it('withdraws a sold object, unless the settings keep it', () => {
    const sold = `<zustand_angaben><verkaufstatus stand="VERKAUFT"/></zustand_angaben>${ID}`;
    expect(result(sold)).toMatchObject({ withdrawn: 'AN-1-O1' });
    expect(result(sold, { settings: { 'keep-sold': 'non', 'montrer-vendus': 'oui' } })).toHaveProperty('withdrawn');
    for (const name of ['keep-sold', 'montrer-vendus'])
      expect(result(sold, { settings: { [name]: 'oui' } })).toMatchObject({ listing: { statut: 'vendu' } });
  });

  it('is also read, with a warning, when the scope of the transfer is unknown', () => {
    const { warnings } = read('', { feed: { uebertragung: { unknownUmfang: 'KOMPLETT' } } });
    expect(warnings).toEqual(['unknown_word uebertragung.umfang KOMPLETT']);
  });
});

describe('OpenImmo offer', () => {
  it.each([
    ['KAUF="true"', 'vente'],
    ['KAUF="1" MIETE_PACHT="0"', 'vente'],
    ['kauf="true"', 'vente'],
    ['KAUF="false" MIETE_PACHT="true"', 'location'],
    ['ERBPACHT="true"', 'autre'],
    ['ERBPACHT="true" KAUF="true"', 'vente'],
    ['LEASING="1"', 'location'],
  ])('with the vermarktungsart %s is %s', (attributes, typeTransaction) => {
    expect(read(marketing(attributes)).listing).toMatchObject({ typeTransaction });
  });

  it('reads an attribute with the value false as no', () => {
    const { listing } = read(
      `${marketing('KAUF="false" MIETE_PACHT="true"')}${prices('<kaufpreis>1</kaufpreis><warmmiete>900</warmmiete>')}`,
    );
    expect(listing).toMatchObject({ typeTransaction: 'location', loyer: 900 });
    expect(listing).not.toHaveProperty('prix');
  });

  it('is a sale without the rent for the first copy of an object for sale and for rent', () => {
    const both = `${marketing('KAUF="true" MIETE_PACHT="true"')}${prices('<kaufpreis>349000.00</kaufpreis><kaltmiete>870,50</kaltmiete>')}`;
    const { listing } = read(both);
    expect(listing).toMatchObject({
      typeTransaction: 'vente',
      typeTransactionSource: 'KAUF, MIETE_PACHT',
      prix: 349000,
    });
    expect(listing).not.toHaveProperty('loyer');
  });

  it.each([
    ['<wohnung wohnungtyp="FERIENWOHNUNG"/>', 'MIETE_PACHT="1"', 'location-saisonniere'],
    ['<haus haustyp="FERIENHAUS"/>', 'MIETE_PACHT="1"', 'location-saisonniere'],
    ['<wohnung wohnungtyp="FERIENWOHNUNG"/>', 'KAUF="1"', 'vente'],
    ['<zinshaus_renditeobjekt/>', 'KAUF="1"', 'investissement'],
    ['<zinshaus_renditeobjekt/>', 'MIETE_PACHT="1"', 'location'],
  ])('for %s with %s is %s', (kind, attributes, typeTransaction) => {
    expect(read(marketing(attributes, kind)).listing.typeTransaction).toBe(typeTransaction);
  });

  it('is an investment for an investment property, and an auction for an auctioned property', () => {
    const invest = '<objektkategorie><nutzungsart ANLAGE="true"/><vermarktungsart KAUF="true"/></objektkategorie>';
    expect(read(invest).listing.typeTransaction).toBe('investissement');
    const auction = `${SALE}<versteigerung><zwangsversteigerung>true</zwangsversteigerung></versteigerung>`;
    expect(read(auction).listing.typeTransaction).toBe('enchere');
  });

  it('follows the prices when no attribute names the transaction', () => {
    expect(read(prices('<kaufpreis>200000</kaufpreis>')).listing).toMatchObject({
      typeTransaction: 'vente',
      prix: 200000,
    });
    expect(read(prices('<pacht>900</pacht>')).listing).toMatchObject({ typeTransaction: 'location', loyer: 900 });
    expect(read('').listing).not.toHaveProperty('typeTransaction');
  });

  it('is "autre", with a warning, for an unknown word', () => {
    const { listing, warnings } = read(marketing('TAUSCH="true"'));
    expect([listing.typeTransaction, listing.typeTransactionSource, warnings]).toEqual([
      'autre',
      'TAUSCH',
      ['unknown_word objektkategorie.vermarktungsart TAUSCH'],
    ]);
  });
});

describe('OpenImmo prices', () => {
  it.each([
    ['<warmmiete>870,50</warmmiete><kaltmiete>750</kaltmiete><nebenkosten>100</nebenkosten>', 870.5],
    ['<kaltmiete>750</kaltmiete><nebenkosten>120.5</nebenkosten>', 870.5],
    ['<kaltmiete>750</kaltmiete>', 750],
    ['<warmmiete>0</warmmiete><nettokaltmiete>700</nettokaltmiete>', 700],
    ['<nettokaltmiete/><pacht>1 200</pacht>', 1200],
    ['<pauschalmiete>450</pauschalmiete>', 450],
    ['<kaltmiete>700</kaltmiete><betriebskostennetto>100</betriebskostennetto>', 800],
    [
      '<kaltmiete>700</kaltmiete><betriebskostennetto>100</betriebskostennetto><betriebskostenust>10</betriebskostenust>',
      810,
    ],
    ['<kaltmiete>700</kaltmiete><nebenkosten>50</nebenkosten><betriebskostennetto>100</betriebskostennetto>', 750],
    ['<hauptmietzinsnetto>700</hauptmietzinsnetto>', 700],
    [
      '<hauptmietzinsnetto>700</hauptmietzinsnetto><hauptmietzinsust>70</hauptmietzinsust><betriebskostennetto>100</betriebskostennetto>',
      870,
    ],
    [
      '<hauptmietzinsnetto hauptmietzinsust="70">700</hauptmietzinsnetto><betriebskostennetto betriebskostenust="10">100</betriebskostennetto>',
      880,
    ],
    ['<gesamtmietebrutto>900</gesamtmietebrutto><hauptmietzinsnetto>700</hauptmietzinsnetto>', 900],
  ])('with %s give a rent of %d', (content, loyer) => {
    const { listing } = read(`${RENT}${prices(content)}`);
    expect([listing.loyer, listing.loyerPeriode, listing.prixSurDemande]).toEqual([loyer, undefined, undefined]);
  });

  it('leave out a net rent with a warning when its tax may be a rate', () => {
    const { listing, warnings } = read(
      `${RENT}${prices('<hauptmietzinsnetto hauptmietzinsust="10">850</hauptmietzinsnetto>')}`,
    );
    expect([listing.loyer, listing.prixSurDemande]).toEqual([undefined, undefined]);
    expect(warnings).toEqual(['implausible_value preise.hauptmietzinsust 10: no tax on 850']);
  });

  it.each([
    ['TAG', 50, 1520.83, 'jour'],
    ['WOCHE', 300, 1300, 'semaine'],
    ['MONAT', 900, 900, undefined],
    ['monat', 900, 900, undefined],
    ['JAHR', 12000, 1000, 'an'],
  ])('per %s are converted to monthly rents', (unit, amount, loyer, loyerPeriode) => {
    const { listing } = read(
      `${RENT}${prices(`<warmmiete>${amount}</warmmiete><preis_zeiteinheit zeiteinheit="${unit}"/>`)}`,
    );
    expect([listing.loyer, listing.loyerPeriode]).toEqual([loyer, loyerPeriode]);
  });

  it('are omitted, with a warning, when their period is unknown', () => {
    const { listing, warnings } = read(
      `${RENT}${prices('<warmmiete>9</warmmiete><preis_zeiteinheit zeiteinheit="SAISON"/>')}`,
    );
    expect([listing.loyer, warnings]).toEqual([undefined, ['implausible_value preise.preis_zeiteinheit SAISON']]);
  });

  it.each([
    '',
    '<kaufpreis/>',
    '<kaufpreis>0</kaufpreis>',
    '<kaufpreis>0.00</kaufpreis>',
    '<kaufpreis auf_anfrage="true">250000</kaufpreis>',
    '<kaufpreis>VB</kaufpreis>',
  ])('are on request, and never 0, when they are %j', (content) => {
    const { listing } = read(`${SALE}${prices(content)}`);
    expect([listing.prix, listing.prixSurDemande]).toEqual([undefined, true]);
  });

  it.each([
    ['349000.00', 349000],
    ['349.000,00', 349000],
    ['349 000', 349000],
    ["349'000.50", 349000.5],
    ['349000,5', 349000.5],
  ])('are read when they are written as %s', (text, prix) => {
    expect(read(`${SALE}${prices(`<kaufpreis>${text}</kaufpreis>`)}`).listing.prix).toBe(prix);
  });

  it('are omitted, with a warning, when they are ambiguous', () => {
    const { listing, warnings } = read(`${SALE}${prices('<kaufpreis>349.000</kaufpreis>')}`);
    expect([listing.prix, listing.prixSurDemande]).toEqual([undefined, undefined]);
    expect(warnings).toEqual(['implausible_value preise.kaufpreis 349.000']);
  });

  it.each([
    ['<waehrung iso_waehrung="DEM"/>', undefined, 'DEM'],
    ['<waehrung iso_waehrung="chf"/>', undefined, 'CHF'],
    ['', { devise: 'CHF' }, 'CHF'],
    ['', undefined, 'EUR'],
  ])('are in the currency of the object, else of the gateway, else in euros: %j', (content, settings, currency) => {
    expect(read(prices(content), settings && { settings }).listing.prixCurrency).toBe(currency);
  });
});

it('OpenImmo connector omits an unreadable year or day of issue, and warns about each', () => {
  const { listing, warnings } = read(
    `${SALE}<zustand_angaben><baujahr>12/03/23</baujahr><energiepass><ausstelldatum>31.31.2020</ausstelldatum></energiepass></zustand_angaben>`,
  );
  expect([listing.anneeConstruction, listing.dpeDate]).toEqual([undefined, undefined]);
  expect(warnings).toEqual([
    'implausible_value zustand_angaben.baujahr 12/03/23',
    'implausible_value zustand_angaben.energiepass.ausstelldatum 31.31.2020',
  ]);
});

describe('OpenImmo fees', () => {
  it.each<[string, string, Partial<Listing>]>([
    [
      'a share',
      `${SALE}${prices('<aussen_courtage>3,57 % inkl. MwSt</aussen_courtage>')}`,
      { honoraires: 3.57, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' },
    ],
    [
      'an amount',
      `${SALE}${prices('<provisionbrutto>12495</provisionbrutto>')}`,
      { honoraires: 12495, honorairesUnite: 'montant', honorairesCharge: 'acquereur' },
    ],
    [
      'a share in the field for the amount',
      `${SALE}${prices('<aussen_courtage/><provisionbrutto>3,57 %</provisionbrutto>')}`,
      { honoraires: 3.57, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' },
    ],
    [
      'paid by the tenant',
      `${RENT}${prices('<provisionbrutto>900</provisionbrutto>')}`,
      { honoraires: 900, honorairesCharge: 'locataire' },
    ],
  ])('are read when they are %s', (_title, content, fees) => {
    expect(read(content).listing).toMatchObject(fees);
  });

  it.each([
    '<aussen_courtage>provisionsfrei</aussen_courtage>',
    '<aussen_courtage>2 Monatsmieten</aussen_courtage>',
    '<aussen_courtage>2</aussen_courtage>',
    '<provisionnetto>10500</provisionnetto><provisionust>1995</provisionust>',
    '<provisionspflichtig>false</provisionspflichtig><aussen_courtage>3 %</aussen_courtage>',
  ])('are absent for %j', (content) => {
    expect(read(`${SALE}${prices(content)}`).listing).not.toHaveProperty('honoraires');
  });
});

describe('OpenImmo property type', () => {
  it.each([
    ['<zimmer zimmertyp="ZIMMER"/>', 'appartement', 'zimmer ZIMMER'],
    ['<wohnung wohnungtyp="ETAGE"/>', 'appartement', 'wohnung ETAGE'],
    ['<wohnung/>', 'appartement', 'wohnung'],
    ['<wohnung wohnungtyp="LOFT-STUDIO-ATELIER"/>', 'loft', 'wohnung LOFT-STUDIO-ATELIER'],
    ['<haus haustyp="VILLA"/>', 'maison', 'haus VILLA'],
    ['<haus haustyp="SCHLOSS"/>', 'chateau', 'haus SCHLOSS'],
    ['<grundstueck grundst_typ="WOHNEN"/>', 'terrain', 'grundstueck WOHNEN'],
    ['<parken parken_typ="TIEFGARAGE"/>', 'parking', 'parken TIEFGARAGE'],
    ['<buero_praxen buero_typ="PRAXIS"/>', 'bureau', 'buero_praxen PRAXIS'],
    ['<einzelhandel handel_typ="LADENLOKAL"/>', 'boutique', 'einzelhandel LADENLOKAL'],
    ['<hallen_lager_prod hallen_typ="HALLE"/>', 'local', 'hallen_lager_prod HALLE'],
    ['<gastgewerbe gastgew_typ="HOTELS"/>', 'local', 'gastgewerbe HOTELS'],
    ['<zinshaus_renditeobjekt zins_typ="WOHNANLAGEN"/>', 'immeuble', 'zinshaus_renditeobjekt WOHNANLAGEN'],
    ['<sonstige sonstige_typ="SONSTIGE"/>', 'autre', 'sonstige SONSTIGE'],
  ])('for %s is %s', (kind, typeCode, typeCodeSource) => {
    const { listing, warnings } = read(marketing('KAUF="1"', kind));
    expect([listing.typeCode, listing.typeCodeSource, warnings]).toEqual([typeCode, typeCodeSource, []]);
  });

  it('is "autre", with a warning, for an unknown word', () => {
    const { listing, warnings } = read(marketing('KAUF="1"', '<hausboot/>'));
    expect([listing.typeCode, warnings]).toEqual(['autre', ['unknown_word objektkategorie.objektart hausboot']]);
  });
});

describe('OpenImmo areas and rooms', () => {
  it.each([
    ['<wohnflaeche>67.50</wohnflaeche><nutzflaeche>80</nutzflaeche>', 67.5],
    ['<wohnflaeche>0</wohnflaeche><nutzflaeche>80</nutzflaeche><gesamtflaeche>99</gesamtflaeche>', 80],
    ['<gesamtflaeche>99,5 m²</gesamtflaeche>', 99.5],
    ['<bueroflaeche>40</bueroflaeche>', 40],
  ])('from %s give a living area of %d', (content, surfaceHabitable) => {
    expect(read(areas(content)).listing.surfaceHabitable).toBe(surfaceHabitable);
  });

  it('include the area of a plot as its land area, not as a living area', () => {
    const plot = `${marketing('KAUF="1"', '<grundstueck/>')}${areas('<gesamtflaeche>900</gesamtflaeche>')}`;
    expect(read(plot).listing).toMatchObject({ surfaceTerrain: 900 });
    expect(read(plot).listing).not.toHaveProperty('surfaceHabitable');
  });

  it('keep half rooms', () => {
    const { listing } = read(areas('<anzahl_zimmer>2.5</anzahl_zimmer><anzahl_schlafzimmer>0</anzahl_schlafzimmer>'));
    expect([listing.nbrePieces, listing.nbreChambres]).toEqual([2.5, undefined]);
  });
});

describe('OpenImmo location', () => {
  const place =
    '<geo><plz>01067</plz><ort>Ort</ort><strasse>Weg</strasse><hausnummer>1a</hausnummer><geokoordinaten breitengrad="51.05" laengengrad="13.74"/><flurstueck>9</flurstueck></geo>';
  const release = (value: string): string =>
    `${place}<verwaltung_objekt><objektadresse_freigeben>${value}</objektadresse_freigeben></verwaltung_objekt>`;

  it.each(['1', 'true', 'TRUE'])('shows street and position when the object releases them with %s', (value) => {
    const { listing, raw } = read(release(value));
    expect(listing).toMatchObject({ adresse: 'Weg 1a', latitude: 51.05, longitude: 13.74 });
    expect(raw).toMatchObject({ geo: { strasse: 'Weg', flurstueck: '9' } });
  });

  it.each(['0', 'false', ''])(
    'hides street and position, in the raw record too, when the object does not release them: %j',
    (value) => {
      const { listing, raw } = read(release(value));
      for (const field of ['adresse', 'latitude', 'longitude']) expect(listing).not.toHaveProperty(field);
      expect(raw['geo']).toEqual({ plz: '01067', ort: 'Ort' });
      expect(listing).toMatchObject({ ville: 'Ort', codePostal: '01067' });
    },
  );

  it('follows the settings only when the object does not say whether to show the address', () => {
    const settings = { 'publier-adresse': 'oui' };
    expect(read(place).listing).not.toHaveProperty('adresse');
    expect(read(place, { settings }).listing.adresse).toBe('Weg 1a');
    expect(read(release('0'), { settings }).listing).not.toHaveProperty('adresse');
  });

  it.each([
    ['<land iso_land="DEU"/>', 'DE'],
    ['<land iso_land="AUT"/>', 'AT'],
    ['<land iso_land="ch"/>', 'CH'],
    ['<land>Deutschland</land>', 'DE'],
  ])('is in the country that %s names', (land, pays) => {
    expect(read(`<geo>${land}</geo>`).listing.pays).toBe(pays);
  });

  it('keeps postcodes unchanged, but restores the leading zero of a French postcode', () => {
    const codePostal = (plz: string, land: string): unknown =>
      read(`<geo><plz>${plz}</plz><land iso_land="${land}"/></geo>`).listing.codePostal;
    expect([codePostal('01067', 'DEU'), codePostal('1010', 'AUT'), codePostal('6400', 'FRA')]).toEqual([
      '01067',
      '1010',
      '06400',
    ]);
  });
});

describe('OpenImmo texts', () => {
  it('are joined, with one paragraph per part', () => {
    const texts =
      '<sonstige_angaben>D</sonstige_angaben><lage>B</lage><objektbeschreibung>A1&#13;\nA2</objektbeschreibung><ausstatt_beschr>C</ausstatt_beschr>';
    expect(read(`<freitexte>${texts}</freitexte>`).listing.commentaires).toBe('A1\nA2\n\nB\n\nC\n\nD');
  });

  it('include a title on one line, or a generated title when there is none', () => {
    expect(read('<freitexte><objekttitel>Schöne\n\tWohnung</objekttitel></freitexte>').listing.intitule).toBe(
      'Schöne Wohnung',
    );
    const built = read(
      `${marketing('KAUF="1"', '<haus haustyp="VILLA"/>')}${areas('<anzahl_zimmer>4</anzahl_zimmer>')}<geo><ort>Ulm</ort></geo>`,
    );
    expect(built.listing.intitule).toBe('Villa 4 pièces à Ulm');
  });

  it('are in the wanted language when there is a choice', () => {
    const texts =
      '<freitexte><objekt_text lang="de">Deutsch</objekt_text><objekt_text lang="fr">Français</objekt_text></freitexte>';
    expect(read(texts).listing.commentaires).toBe('Français');
    expect(read(texts, { settings: { langue: 'de' } }).listing.commentaires).toBe('Deutsch');
  });

  it('keep the other languages beside the language of the object', () => {
    const texts =
      '<freitexte><objekttitel>Haus</objekttitel><objektbeschreibung>Ruhig</objektbeschreibung>' +
      '<objekt_text lang="fr">Calme</objekt_text><objekt_text lang="de">Kurz</objekt_text></freitexte>';
    const language = '<verwaltung_techn><openimmo_obid>O1</openimmo_obid><sprache>de-DE</sprache></verwaltung_techn>';
    expect(read(texts + language).listing).toMatchObject({
      ...{ intitule: 'Haus', commentaires: 'Ruhig' },
      textes: { fr: { commentaires: 'Calme' } },
    });
    expect(read(texts).listing).toMatchObject({
      commentaires: 'Ruhig',
      textes: { de: { commentaires: 'Kurz' }, fr: { commentaires: 'Calme' } },
    });
  });

  it('belong to the language of the object when they name no language', () => {
    const texts =
      '<freitexte><objekt_text lang="">Ruhig</objekt_text><objekt_text lang="fr">Calme</objekt_text></freitexte>';
    expect(read(texts).listing).toMatchObject({ commentaires: 'Ruhig', textes: { fr: { commentaires: 'Calme' } } });
    const both =
      '<freitexte><objektbeschreibung>Haus</objektbeschreibung><objekt_text lang="">Ruhig</objekt_text></freitexte>';
    expect(read(both).listing.commentaires).toBe('Haus\n\nRuhig');
  });

  it.each([
    ['the first non-empty text', '<objekt_text lang="nl"/><objekt_text lang="de">Deutsch</objekt_text>'],
    [
      'the first text, ahead of Spanish',
      '<objekt_text lang="de">Deutsch</objekt_text><objekt_text lang="es">Español</objekt_text>',
    ],
    [
      'the first non-empty text of a repeated language',
      '<objekt_text lang="it">Italiano</objekt_text><objekt_text lang="fr"/><objekt_text lang="fr">Deutsch</objekt_text>',
    ],
  ])('are taken from %s', (_title, texts) => {
    expect(read(`<freitexte>${texts}</freitexte>`).listing.commentaires).toBe('Deutsch');
  });
});

describe('OpenImmo price or rent given in parts', () => {
  it.each([
    [SALE, '<kaufpreis_pro_qm>250</kaufpreis_pro_qm>', 'kaufpreis_pro_qm 250: a price by the square metre'],
    [RENT, '<mietpreis_pro_qm>9,5</mietpreis_pro_qm>', 'mietpreis_pro_qm 9.5: a rent by the square metre'],
    [marketing('ERBPACHT="true"'), '<erbpacht>1200</erbpacht>', 'erbpacht 1200: a ground rent'],
  ])('is not on request, and causes a warning, when the object gives only %s%s', (kind, amount, warning) => {
    const { listing, warnings } = read(kind + prices(amount));
    expect(warnings).toEqual([`implausible_value preise.${warning}`]);
    expect([listing.prix, listing.loyer, listing.prixSurDemande]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['beside the charges', '<heizkosten_enthalten>false</heizkosten_enthalten>', 950, 250, 0],
    ['in the charges', '<heizkosten_enthalten>true</heizkosten_enthalten>', 870, 170, 0],
    ['beside the charges according to the warm rent', '<warmmiete>950</warmmiete>', 950, 250, 0],
    ['in the charges according to the warm rent', '<warmmiete>870</warmmiete>', 870, 170, 0],
    ['either in the charges or beside them', '', 870, 170, 1],
  ])('includes heating costs only once when they are %s', (_where, more, loyer, charges, noticed) => {
    const costs = '<kaltmiete>700</kaltmiete><nebenkosten>170</nebenkosten><heizkosten>80</heizkosten>';
    const { listing, warnings } = read(RENT + prices(costs + more));
    expect([listing.loyer, listing.charges, warnings.length]).toEqual([loyer, charges, noticed]);
  });
});

describe('page URL of an OpenImmo object', () => {
  it.each([
    [
      '<user_defined_simplefield feldname="objekt_url">https://a.example/haus/1</user_defined_simplefield>',
      'https://a.example/haus/1',
    ],
    ['<user_defined_simplefield feldname="note">https://a.example/haus/1</user_defined_simplefield>', undefined],
    ['<user_defined_simplefield feldname="url">https://a.example/</user_defined_simplefield>', undefined],
  ])('is read only from a field for the page: %s', (content, url) => {
    expect(read(content).listing.url).toBe(url);
    expect(read(`<verwaltung_techn>${content}<openimmo_obid>O1</openimmo_obid></verwaltung_techn>`).listing.url).toBe(
      url,
    );
  });
});

describe('OpenImmo attachments', () => {
  const anhang = (attributes: string, pfad: string, format = ''): string =>
    `<anhang ${attributes}><format>${format}</format><daten><pfad>${pfad}</pfad></daten></anhang>`;
  const urls = (...anhaenge: string[]): string[] =>
    read(`<anhaenge>${anhaenge.join('')}</anhaenge>`).listing.photos.map(({ url }) => url);
  const photo = (name: string): string => `https://b.example.org/${name}`;

  it('begin with the title picture, then follow the order of the feed', () => {
    expect(
      urls(
        anhang('location="REMOTE" gruppe="BILD"', photo('1.jpg')),
        anhang('location="REMOTE" gruppe="titelbild"', photo('2.jpg')),
        anhang('location="REMOTE" gruppe="AUSSENANSICHTEN"', photo('3.jpg')),
      ),
    ).toEqual([photo('2.jpg'), photo('1.jpg'), photo('3.jpg')]);
  });

  it('count as photos only in the groups for photos', () => {
    const others = [
      'GRUNDRISS',
      'KARTEN_LAGEPLAN',
      'ANBIETERLOGO',
      'DOKUMENTE',
      'LINKS',
      'QRCODE',
      'FILM',
      'EPASS-SKALA',
      'ANBOBJURL',
    ];
    expect(urls(...others.map((gruppe) => anhang(`location="REMOTE" gruppe="${gruppe}"`, photo('x.jpg'))))).toEqual([]);
    expect(urls(anhang('location="REMOTE" gruppe="BILD"', photo('x'), 'application/pdf'))).toEqual([]);
  });

  it('are photos without a group when the file is a picture', () => {
    expect(
      urls(
        anhang('location="REMOTE"', photo('1'), 'image/jpeg'),
        anhang('', photo('2.PNG')),
        anhang('', photo('3.pdf')),
      ),
    ).toEqual([photo('1'), photo('2.PNG')]);
  });

  it('are reported as missing photos when they name a file but the feed is not an archive, whatever the file name', () => {
    const { listing, warnings } = read(
      `<anhaenge>${anhang('location="EXTERN" gruppe="BILD"', 'kueche.JPG')}${anhang('location="EXTERN" gruppe="BILD"', 'bild_17')}</anhaenge>`,
    );
    expect([listing.photos, warnings]).toEqual([
      [],
      ['photo_missing anhaenge.anhang kueche.JPG', 'photo_missing anhaenge.anhang bild_17'],
    ]);
  });

  it('are also photos when they are EXTERN and have a URL', () => {
    expect(urls(anhang('location="EXTERN" gruppe="BILD"', photo('1.jpg')))).toEqual([photo('1.jpg')]);
  });

  it('become separate files when they are embedded in the record, and are omitted from the raw record', () => {
    const inner =
      '<anhang location="INTERN" gruppe="BILD"><daten><anhanginhalt>AAAABBBB</anhanginhalt></daten></anhang>';
    const { listing, raw, warnings } = read(`<anhaenge>${inner}</anhaenge>`);
    // In this test, no engine delivers these files.
    expect([listing.photos, warnings]).toEqual([
      [],
      [expect.stringMatching(/^photo_missing anhaenge.anhang record\/[0-9a-f]{16}$/)],
    ]);
    expect(raw['anhaenge']).toEqual({ anhang: [{ '@location': 'INTERN', '@gruppe': 'BILD' }] });
  });

  it.each<[what: string, anhang: string, expected: Record<string, unknown>]>([
    [
      'a tour among LINKS',
      anhang('location="REMOTE" gruppe="LINKS"', 'https://my.matterport.com/show/?m=abc'),
      { visiteVirtuelle: 'https://my.matterport.com/show/?m=abc' },
    ],
    [
      'a film among LINKS',
      anhang('location="REMOTE" gruppe="LINKS"', 'https://youtu.be/x'),
      { video: 'https://youtu.be/x' },
    ],
    [
      'a film among pictures',
      anhang('location="REMOTE" gruppe="BILD"', 'https://p.example/1', 'video/mp4'),
      { video: 'https://p.example/1' },
    ],
    [
      'a film without a group',
      anhang('location="REMOTE"', 'https://p.example/v.mp4'),
      { video: 'https://p.example/v.mp4' },
    ],
    [
      'the page of the object',
      anhang('location="REMOTE" gruppe="ANBOBJURL"', 'https://a.example/objekt/2'),
      { url: 'https://a.example/objekt/2' },
    ],
    [
      'the picture of the energy scale',
      anhang('location="REMOTE" gruppe="EPASS-SKALA"', photo('s.jpg')),
      { documents: [photo('s.jpg')] },
    ],
    ['a PDF among LINKS', anhang('location="REMOTE" gruppe="LINKS"', photo('e.pdf')), { documents: [photo('e.pdf')] }],
  ])('include %s', (_what, content, expected) => {
    const { listing, warnings } = read(`<anhaenge>${content}</anhaenge>`);
    const { visiteVirtuelle, video, url, plans, documents, photos } = listing;
    const links = documents?.map((one) => one.url);
    expect({ visiteVirtuelle, video, url, plans, documents: links, photos, warnings }).toEqual({
      ...{ visiteVirtuelle: undefined, video: undefined, url: undefined, plans: undefined, documents: undefined },
      ...{ photos: [], warnings: [] },
      ...expected,
    });
  });

  it.each([
    ['a link to nothing that we know', anhang('location="REMOTE" gruppe="LINKS"', 'https://x.example/1')],
    ['a film in the archive', anhang('location="EXTERN" gruppe="FILM"', 'film.mp4')],
    ['a PDF among pictures', anhang('location="REMOTE" gruppe="BILD"', photo('x.pdf'))],
    ['a PDF without a group', anhang('location="REMOTE"', photo('x.pdf'))],
    ['a PDF of an unknown group', anhang('location="REMOTE" gruppe="SONSTIGES"', photo('x.pdf'))],
    [
      'the site of the agency as the page of the object',
      anhang('location="REMOTE" gruppe="ANBOBJURL"', 'https://a.example/'),
    ],
    ['a second film', ['1', '2'].map((n) => anhang('gruppe="FILMLINK"', `https://youtu.be/${n}`)).join('')],
  ])('cause one warning when they are not used: %s', (_what, content) => {
    const { listing, warnings } = read(`<anhaenge>${content}</anhaenge>`);
    expect([listing.photos, listing.plans, listing.documents]).toEqual([[], undefined, undefined]);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['Grundbuchauszug', 'a.pdf', false],
    ['Kaufvertrag (Entwurf)', 'a.pdf', false],
    ['', 'Maklervertrag_2026.pdf', false],
    ['Interne Notiz', 'a.pdf', false],
    ['Exposé', 'export/INTERN_12.pdf', false],
    ['Eigentümerprotokoll', 'a.pdf', false],
    ['Energieausweis', 'a.pdf', true],
    ['Exposé Internet', 'a.pdf', true],
    ['International', 'a.pdf', true],
    ['', 'expose.pdf', true],
  ])(
    'are documents for the public only when neither title nor name is internal: %j, %s: %s',
    (title, path, isPublic) => {
      const one = `<anhang location="REMOTE" gruppe="DOKUMENTE"><anhangtitel>${title}</anhangtitel><daten><pfad>${photo(path)}</pfad></daten></anhang>`;
      const { listing, raw, warnings } = read(`<anhaenge>${one}</anhaenge>`);
      expect([listing.documents?.length === 1, JSON.stringify(raw).includes(path), warnings]).toEqual([
        ...[isPublic, isPublic, []],
      ]);
    },
  );

  it('include films and tours', () => {
    const { listing } = read(
      `<anhaenge>${anhang('location="REMOTE" gruppe="FILMLINK"', 'https://film.example.org/1')}${anhang('location="REMOTE" gruppe="PANORAMA"', 'https://tour.example.org/1', 'html')}</anhaenge>`,
    );
    expect([listing.video, listing.visiteVirtuelle, listing.photos]).toEqual([
      'https://film.example.org/1',
      'https://tour.example.org/1',
      [],
    ]);
  });
});

describe('OpenImmo energy certificate', () => {
  const energyOf = (content: string, country = 'DEU'): Listing['energie'] =>
    read(
      `<geo><land iso_land="${country}"/></geo><zustand_angaben><energiepass>${content}</energiepass></zustand_angaben>`,
    ).listing.energie;
  const final = { pays: 'DE', echelle: 'DE-GEG', grandeur: 'energie-finale' };
  const [consumed, needed] = [
    { ...final, base: 'consommation', valeur: 120.5, unite: 'kWh/m²/an' },
    { ...final, base: 'besoin', valeur: 90, unite: 'kWh/m²/an' },
  ];
  const both =
    '<energieverbrauchkennwert>120,5</energieverbrauchkennwert><endenergiebedarf>90</endenergiebedarf><wertklasse>H</wertklasse>';

  it.each([
    [`<epart>VERBRAUCH</epart>${both}`, [{ ...consumed, classe: 'H' }, needed]],
    [`<epart>BEDARF</epart>${both}`, [{ ...needed, classe: 'H' }, consumed]],
    ['<endenergiebedarf>90 kWh/(m²*a)</endenergiebedarf>', [needed]],
    ['<energieverbrauchkennwert>0</energieverbrauchkennwert>', undefined],
    ['<wertklasse>A+</wertklasse>', [{ ...final, classe: 'A+' }]],
    ['<wertklasse>g</wertklasse>', [{ ...final, classe: 'G' }]],
    ['<wertklasse>A++</wertklasse>', undefined],
    ['<jahrgang>nicht_noetig</jahrgang>', [{ ...final, statut: 'non-soumis' }]],
    [
      '<stromwert>20</stromwert><primaerenergietraeger>Gas, Strom</primaerenergietraeger><mitwarmwasser>true</mitwarmwasser>',
      [
        {
          ...{ ...final, base: 'consommation', valeur: 20, unite: 'kWh/m²/an' },
          ...{ vecteurs: ['Gas', 'Strom'], eauChaude: true, electricite: true },
        },
      ],
    ],
  ])('%s gives the figures %j', (content, energie) => {
    expect(energyOf(content)).toEqual(energie);
  });

  it('is Austrian in Austria, and also without a country when it has Austrian fields', () => {
    const content =
      '<hwbwert>45,2</hwbwert><hwbklasse>B</hwbklasse><fgeewert>0,83</fgeewert><fgeeklasse>A+</fgeeklasse>';
    const austrian = { pays: 'AT', echelle: 'AT-EAVG' };
    const figures = [
      { ...austrian, grandeur: 'besoin-chauffage', classe: 'B', valeur: 45.2, unite: 'kWh/m²/an' },
      { ...austrian, grandeur: 'facteur-efficacite', classe: 'A+', valeur: 0.83, unite: 'fGEE' },
    ];
    expect(energyOf(content, 'AUT')).toEqual(figures);
    expect(energyOf(content, '')).toEqual(figures);
  });

  it('is French only for a property in France', () => {
    expect(read(`<zustand_angaben><energiepass>${both}</energiepass></zustand_angaben>`).listing).not.toHaveProperty(
      'dpeValeur',
    );
    expect(energyOf('<wertklasse>C</wertklasse>', 'FRA')).toEqual([
      { pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: 'C' },
    ]);
  });
});

describe('OpenImmo flags', () => {
  it.each<[string, keyof Listing, boolean | undefined]>([
    ['<fahrstuhl PERSONEN="true"/>', 'ascenseur', true],
    ['<fahrstuhl PERSONEN="false" LASTEN="0"/>', 'ascenseur', false],
    ['<fahrstuhl LASTEN="true" PERSONEN="false"/>', 'ascenseur', false],
    ['<fahrstuhl LASTEN="true"/>', 'ascenseur', undefined],
    ['<moebliert moeb="VOLL"/>', 'meuble', true],
    ['<moebliert moeb="TEIL"/>', 'meuble', undefined],
    ['<moebliert moeb="NEIN"/>', 'meuble', false],
    ['<swimmingpool>1</swimmingpool>', 'piscine', true],
    ['<swimmingpool>false</swimmingpool>', 'piscine', false],
    ['<stellplatzart GARAGE="false"/>', 'parking', undefined],
    ['<stellplatzart GARAGE="false" FREIPLATZ="1"/>', 'parking', true],
  ])('%s sets %s to %s', (content, field, value) => {
    expect(read(`<ausstattung>${content}</ausstattung>`).listing[field]).toBe(value);
  });
});

describe('OpenImmo dates', () => {
  it.each([
    ['2024-04-01', '2024-04-01'],
    ['01.04.2024', '2024-04-01'],
    ['2024-04-01T11:56:39.1242974+02:00', '2024-04-01T11:56:39.124+02:00'],
    ['0000-00-00', undefined],
    ['1970-01-01', undefined],
  ])('read %s as %s', (text, dateModification) => {
    expect(result(techn(`<openimmo_obid>O1</openimmo_obid><stand_vom>${text}</stand_vom>`))).toMatchObject({
      listing: dateModification === undefined ? {} : { dateModification },
    });
  });

  it('are absent when they are words', () => {
    expect(
      read('<verwaltung_objekt><verfuegbar_ab>sofort</verfuegbar_ab></verwaltung_objekt>').listing,
    ).not.toHaveProperty('disponibilite');
  });
});

describe('e-mail address of an OpenImmo agent', () => {
  it.each<[string, string, string | undefined]>([
    [
      'the direct address',
      '<email_zentrale>z@a.example</email_zentrale><email_direkt>d@a.example</email_direkt>',
      'd@a.example',
    ],
    [
      'the central address when there is no direct address',
      '<email_direkt/><email_zentrale>z@a.example</email_zentrale>',
      'z@a.example',
    ],
    ['absent when there is only a private address', '<email_privat>p@a.example</email_privat>', undefined],
  ])('is %s', (_title, content, negoEmail) => {
    expect(read(`<kontaktperson>${content}</kontaktperson>`).listing.negoEmail).toBe(negoEmail);
  });

  it('may be missing', () => {
    expect(read('').listing).toMatchObject({ agenceNom: 'Firma' });
    expect(read('', { feed: { anbieter: {} }, settings: { 'agence-nom': 'Agence' } }).listing.agenceNom).toBe('Agence');
  });
});

it.each([
  ['<verkaufstatus stand="RESERVIERT"/>', true],
  ['<verkaufstatus>reserviert</verkaufstatus>', true],
  ['<verkaufstatus stand="OFFEN"/>', undefined],
  ['', undefined],
])('OpenImmo connector reads %s as under offer: %s', (content, sousOffre) => {
  expect(read(`<zustand_angaben>${content}</zustand_angaben>`).listing.sousOffre).toBe(sousOffre);
});

it("OpenImmo connector keeps the agency's net commission private, in the raw record too", () => {
  const { raw, warnings } = read(prices('<provisionnetto>10500</provisionnetto><provisionust>1995</provisionust>'));
  expect(JSON.stringify(raw)).not.toMatch(/10500|1995/);
  expect(warnings).toEqual([]);
});

it.each([
  ['1', true],
  ['0', false],
])('OpenImmo connector publishes a map when objektadresse_freigeben is %s: %s', (release, leaves) => {
  const attachment = (group: string, path: string): string =>
    `<anhang gruppe="${group}" location="REMOTE"><daten><pfad>https://p.example/${path}</pfad></daten></anhang>`;
  const { raw, listing } = read(
    `<anhaenge>${attachment('KARTEN_LAGEPLAN', 'map.jpg')}${attachment('BILD', '1.jpg')}</anhaenge>` +
      `<verwaltung_objekt><objektadresse_freigeben>${release}</objektadresse_freigeben></verwaltung_objekt>`,
  );
  expect(JSON.stringify(raw).includes('map.jpg')).toBe(leaves);
  expect(listing.documents?.length).toBe(leaves ? 1 : undefined);
  expect(JSON.stringify(raw)).toContain('1.jpg');
});
