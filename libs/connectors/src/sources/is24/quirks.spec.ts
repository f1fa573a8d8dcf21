import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

const PLACE = '<Adresse Strasse="Geheimer Weg" Hausnummer="77" Postleitzahl="10179" Ort="Musterstadt"/>';

function transfer(properties: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><IS24ImmobilienTransfer xmlns="http://www.immobilienscout24.de/immobilientransfer" EmailBeiFehler="a@example.org"><Anbieter ScoutKundenID="1">${properties}</Anbieter></IS24ImmobilienTransfer>`;
}

function property(attributes = '', inside = '', element = 'WohnungKauf', id = '7'): string {
  return `<${element} ${attributes} AnbieterObjektID="${id}">${PLACE}${inside}</${element}>`;
}

const read = (...parts: Parameters<typeof property>): ReturnType<typeof readDropped> =>
  readDropped(connector, transfer(property(...parts)));

describe('IS24 property that the file does not name', () => {
  it.each([
    ['is removed when the file is a list', property(), 'whole', []],
    [
      'is removed when the file is a list with Importmodus "aktualisieren"',
      property('Importmodus="aktualisieren"'),
      'whole',
      [],
    ],
    [
      'stays when the file deletes another property',
      property('Ueberschrift="A > B" Importmodus="loeschen"', '', 'HausKauf', '8') + property(),
      'delta',
      ['withdrawn 8: the agency deletes it (Importmodus "loeschen")'],
    ],
    [
      'stays when the file leaves another property unchanged',
      property("Importmodus='ignorieren'", '', 'WAZ', '8') + property(),
      'delta',
      [],
    ],
  ])('%s', async (_title, properties, kind, rejected) => {
    const { listings, rejections, summary } = await readDropped(connector, transfer(properties));
    expect(listings.map(({ affId }) => affId)).toEqual(['7']);
    expect([summary.coverage, rejections]).toEqual([{ kind }, rejected]);
  });

  it('is gone even when a title contains the words of a deletion', async () => {
    const { summary } = await read('Ueberschrift=\' Importmodus="loeschen"\'');
    expect(summary.coverage).toEqual({ kind: 'whole' });
  });

  it('is omitted, with a warning, when the file names it with the Importmodus "ignorieren"', async () => {
    const { listings, warnings } = await read('Importmodus="ignorieren"');
    expect([listings, warnings]).toEqual([[], ['unmapped_field @Importmodus ×1']]);
  });
});

it.each<[string, boolean]>([
  ['', true],
  ['StatusHP="inaktiv"', false],
  ['StatusIS24="inaktiv"', false],
  ['StatusHP="aktiv" StatusIS24="inaktiv"', true],
  ['StatusHP="inaktiv" StatusIS24="aktiv"', false],
  ['StatusVBM="inaktiv"', true],
  ['StatusHP="archiviert"', false],
  ['StatusHP="aktiv" StatusIS24="Archiviert"', false],
  ['StatusIS24="verkauft"', false],
  ['StatusHP="vermietet" StatusIS24="aktiv"', true],
  ['StatusHP="reserviert"', true],
])('IS24 connector shows a property with %s: %s', async (attributes, isShown) => {
  expect((await read(attributes)).listings).toHaveLength(isShown ? 1 : 0);
});

it('IS24 connector does not show a rental with the status vermietet', async () => {
  const { listings, rejections } = await read('StatusHP="vermietet"', '', 'WohnungMiete');
  expect([listings, rejections.length]).toEqual([[], 1]);
});

it.each<[string, string | undefined, boolean]>([
  ['Adressdruck="true"', 'Geheimer Weg 77', true],
  ['Adressdruck="1"', 'Geheimer Weg 77', true],
  ['Adressdruck="false"', undefined, false],
  ['', undefined, false],
  ['Adressdruck="vielleicht"', undefined, false],
])('IS24 connector with %s shows the street %s', async (attributes, adresse, isRaw) => {
  const { listings, raws } = await read(attributes);
  expect(listings[0]?.adresse).toBe(adresse);
  expect(JSON.stringify(raws).includes('Geheimer Weg')).toBe(isRaw);
  expect(JSON.stringify(raws).includes('"77"')).toBe(isRaw);
});

describe('IS24 rents', () => {
  it.each<[string, string, object, string[]]>([
    ['with ancillary costs', 'Kaltmiete="500" Nebenkosten="120"', { loyer: 620, charges: 120 }, []],
    ['from the warm rent', 'Kaltmiete="500" Warmmiete="650" Nebenkosten="150"', { loyer: 650, charges: 150 }, []],
    [
      'with heating costs beside the ancillary costs',
      'Kaltmiete="500" Nebenkosten="120" Heizkosten="70" HeizkostenInWarmmieteEnthalten="false"',
      { loyer: 690, charges: 190 },
      [],
    ],
    [
      'with heating costs in the ancillary costs',
      'Kaltmiete="500" Nebenkosten="120" Heizkosten="70" HeizkostenInWarmmieteEnthalten="true"',
      { loyer: 620, charges: 120 },
      [],
    ],
    ['with heating costs only', 'Kaltmiete="500" Heizkosten="70"', { loyer: 570, charges: 70 }, []],
    [
      'with heating costs that may be in the ancillary costs or beside them',
      'Kaltmiete="500" Nebenkosten="120" Heizkosten="70"',
      { loyer: 620, charges: 120 },
      ['implausible_value Mietpreise.@Heizkosten 70: not clear whether other charges include it ×1'],
    ],
    ['as on request when the amount is only a placeholder', 'Kaltmiete="1.00"', { prixSurDemande: true }, []],
    [
      'as absent when the amount has two meanings',
      'Kaltmiete="1.250"',
      {},
      ['implausible_value Mietpreise.@Kaltmiete 1.250 ×1'],
    ],
  ])('are read: %s', async (_title, attributes, expected, noticed) => {
    const { listings, warnings } = await read('', `<Mietpreise ${attributes}/>`, 'WohnungMiete');
    const { loyer, charges, prixSurDemande } = listings[0] ?? {};
    expect([JSON.parse(JSON.stringify({ loyer, charges, prixSurDemande })), warnings]).toEqual([expected, noticed]);
  });

  it.each<[string, string, string]>([
    ['WohnungMiete', '<Mietpreise Kaltmiete="0"/>', 'prixSurDemande'],
    ['WAZ', '<Pauschalmiete MietePauschal="50" MietePro="Monat"/>', 'loyer'],
    ['WAZ', '<Pauschalmiete MietePauschal="50"/>', ''],
    ['BueroPraxis', '<Vermarktung><Miete Pro="Jahr" Kaltmiete="12000"/></Vermarktung>', ''],
  ])('of %s with %s set the field %s', async (element, inside, field) => {
    const { listings, warnings } = await read('', inside, element);
    const found = ['loyer', 'prix', 'prixSurDemande'].filter((name) => name in (listings[0] ?? {}));
    expect(found).toEqual(field === '' ? [] : [field]);
    expect(warnings.length).toBe(field === '' ? 1 : 0);
  });
});

describe('IS24 elements', () => {
  it('with unknown names are records as well', async () => {
    const { listings, warnings } = await read('Wohnflaeche="80"', '', 'Hausboot');
    expect(listings).toMatchObject([{ affId: '7', typeCode: 'autre', surfaceHabitable: 80 }]);
    expect(warnings).toEqual(['unknown_word element Hausboot ×1']);
  });

  it('with a prefix are read in the same way', async () => {
    const file = `<i:IS24ImmobilienTransfer xmlns:i="x"><i:Anbieter><i:GarageMiete AnbieterObjektID="9"><i:Mietpreise Miete="60"/></i:GarageMiete></i:Anbieter></i:IS24ImmobilienTransfer>`;
    const { listings } = await readDropped(connector, file);
    expect(listings).toMatchObject([{ affId: '9', typeCode: 'parking', loyer: 60 }]);
  });

  it('of a second provider make the file incomplete', async () => {
    const file = transfer(`${property()}</Anbieter><Anbieter ScoutKundenID="2">${property('', '', 'HausKauf', '8')}`);
    const { listings, summary } = await readDropped(connector, file);
    expect(listings).toHaveLength(2);
    expect(summary.incomplete).toMatch(/more than one <Anbieter>/);
  });
});

it.each<[string, object | undefined]>([
  [
    'Energieausweistyp="Endenergiebedarf" Energieverbrauchskennwert="80" WarmwasserEnthalten="true"',
    { base: 'besoin', valeur: 80 },
  ],
  [
    'Energieausweistyp="Energieverbrauchskennwert" Energieverbrauchskennwert="80" WarmwasserEnthalten="false"',
    { base: 'consommation', valeur: 80, eauChaude: false },
  ],
  ['Energieverbrauchskennwert="80"', { valeur: 80 }],
  ['Energieausweistyp="Endenergiebedarf" Energieverbrauchskennwert="0"', undefined],
])('IS24 connector reads a certificate with %s', async (attributes, expected) => {
  const { listings } = await read('', `<Energieausweis ${attributes}/>`);
  const shared = { pays: 'DE', echelle: 'DE-GEG', grandeur: 'energie-finale', unite: 'kWh/m²/an' };
  expect(listings[0]?.energie).toEqual(expected && [{ ...shared, ...expected }]);
});

it('IS24 connector reads the XML of an archive and the pictures that it names', async () => {
  const pictures =
    '<MultimediaAnhang AnhangArt="bild" Dateiname="A 1.JPG"/><MultimediaAnhang AnhangArt="grundrissBild" Dateiname="b.jpg"/>';
  const archive = archiveOf({
    'export/is24.xml': transfer(property('', pictures)),
    '__MACOSX/._is24.xml': 'x',
    'export/a 1.jpg': Buffer.from('a'),
    'export/b.jpg': Buffer.from('b'),
  });
  const { listings, summary } = await readDropped(connector, archive);
  expect(listings[0]?.photos).toHaveLength(1);
  expect(listings[0]?.plans).toEqual([{ url: 'archive:export/b.jpg', empreinte: expect.any(String) as string }]);
  expect(summary.incomplete).toBeNull();
});

it.each<[string, string]>([
  ['between properties', transfer(property()).slice(0, -'</Anbieter></IS24ImmobilienTransfer>'.length)],
  ['inside a property', transfer(property()).slice(0, -50)],
])('IS24 connector reports a file that is cut %s as incomplete', async (_title, content) => {
  expect((await readDropped(connector, content)).summary.incomplete).toMatch(/the document ends at line 1/);
});
