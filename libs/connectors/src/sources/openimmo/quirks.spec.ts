import iconv from 'iconv-lite';

import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

function object(id: string, inside: string, action = ''): string {
  return `<immobilie>${inside}<verwaltung_techn>${action}<openimmo_obid>${id}</openimmo_obid></verwaltung_techn></immobilie>`;
}

/** A transfer in which `uebertragung` and `openimmo_anid` follow the objects, and whose root has a prefix. */
function transfer(objects: string, uebertragung = '<uebertragung xmlns="" umfang="voll" modus="NEU"/>'): string {
  return (
    '<?xml version="1.0" encoding="ISO-8859-1"?><oi:openimmo xmlns:oi="http://www.openimmo.de">' +
    `<oi:anbieter><firma>Müller &amp; Söhne</firma>${objects}<openimmo_anid> anid-1 </openimmo_anid></oi:anbieter>${uebertragung}</oi:openimmo>`
  );
}

const ODD = `
  <kontaktperson><name>Muster</name><email_zentrale>zentrale@m.example</email_zentrale><tel_handy>PRIVATE</tel_handy><email_privat>PRIVATE</email_privat></kontaktperson>
  <objektkategorie><vermarktungsart KAUF="1" MIETE_PACHT="0"/><objektart><wohnung wohnungtyp="loft-studio-atelier"/></objektart></objektkategorie>
  <geo><land iso_land="FRA"/><plz>6400</plz><ort> Cannes </ort><strasse>PRIVATE</strasse><geokoordinaten breitengrad="43,55" laengengrad="7.01"/><etage>EG</etage></geo>
  <preise><kaufpreis auf_anfrage="false">349.000,00 €</kaufpreis><waehrung iso_waehrung="EUR"/><aussen_courtage mit_mwst="true">3,57 %</aussen_courtage><innen_courtage>PRIVATE</innen_courtage></preise>
  <flaechen><wohnflaeche>92,5</wohnflaeche><anzahl_zimmer>2,5</anzahl_zimmer><anzahl_badezimmer>1.0</anzahl_badezimmer><anzahl_balkone>0</anzahl_balkone></flaechen>
  <ausstattung><fahrstuhl PERSONEN="false"/><swimmingpool>false</swimmingpool><stellplatzart GARAGE="false"/></ausstattung>
  <zustand_angaben><baujahr>0</baujahr><energiepass><wertklasse>b</wertklasse><ausstelldatum>05.03.2024</ausstelldatum></energiepass></zustand_angaben>
  <freitexte><objekttitel><![CDATA[ Loft
	mit <b>Blick</b> für € ]]></objekttitel><objektbeschreibung>&lt;p&gt;Sch&amp;ouml;n&amp;nbsp;&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;&#13;</objektbeschreibung></freitexte>
  <anhaenge><anhang location="REMOTE" gruppe="BILD"><daten><pfad>https://p.example/2.jpg?a=1&amp;b=2</pfad></daten></anhang>
    <anhang location="REMOTE" gruppe="GRUNDRISS"><daten><pfad>https://p.example/plan.jpg</pfad></daten></anhang>
    <anhang location="REMOTE" gruppe="titelbild"><anhangtitel>Titel</anhangtitel><daten><pfad>http://p.example//ti tel.JPG</pfad></daten></anhang>
    <anhang location="EXTERN" gruppe="BILD"><format>JPG</format><daten><pfad>KUECHE.JPG</pfad></daten></anhang>
    <anhang location="EXTERN" gruppe="BILD"><format>JPG</format><daten><pfad>bad.jpg</pfad></daten></anhang></anhaenge>
  <verwaltung_objekt><objektadresse_freigeben>false</objektadresse_freigeben><verfuegbar_ab>sofort</verfuegbar_ab><abdatum>01.04.2024</abdatum></verwaltung_objekt>
  <neues_element>x</neues_element><user_defined_simplefield feldname="a">PRIVATE</user_defined_simplefield>`;

it('OpenImmo connector reads an object with unusual values field by field, also from an archive', async () => {
  const archive = archiveOf({
    'Export/OBJEKTE.XML': iconv.encode(transfer(object('O1', ODD)), 'windows-1252'),
    'Export/kueche.jpg': 'x',
    '__MACOSX/Export/._OBJEKTE.XML': 'x',
  });
  const { listings, warnings, summary } = await readDropped(connector, archive);
  expect(listings).toEqual([
    {
      affId: 'ANID-1-O1',
      commission: '3,57 %',
      disponibiliteTexte: 'sofort',
      plans: [{ url: 'https://p.example/plan.jpg', empreinte: '4d097bec81713d6e' }],
      passerelleName: 'openimmo',
      intitule: 'Loft mit Blick für €',
      commentaires: 'Schön',
      typeTransaction: 'vente',
      typeTransactionSource: 'KAUF',
      typeCode: 'loft',
      typeCodeSource: 'wohnung loft-studio-atelier',
      prix: 349000,
      prixCurrency: 'EUR',
      surfaceHabitable: 92.5,
      nbrePieces: 2.5,
      ville: 'Cannes',
      codePostal: '06400',
      pays: 'FR',
      photos: [
        { url: 'http://p.example//ti%20tel.JPG', legende: 'Titel', empreinte: expect.any(String) as string },
        { url: 'https://p.example/2.jpg?a=1&b=2', empreinte: expect.any(String) as string },
        { url: 'archive:Export/kueche.jpg', empreinte: expect.any(String) as string },
      ],
      agenceNom: 'Müller & Söhne',
      negoNom: 'Muster',
      negoEmail: 'zentrale@m.example',
      nbreSallesDeBain: 1,
      etage: 0,
      ascenseur: false,
      piscine: false,
      honoraires: 3.57,
      honorairesUnite: 'pourcentage',
      honorairesCharge: 'acquereur',
      energie: [{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: 'B', date: '2024-03-05' }],
      dpeClasse: 'B',
      dpeDate: '2024-03-05',
      disponibilite: '2024-04-01',
    },
  ]);
  expect([warnings, summary.coverage]).toEqual([
    ['unmapped_field neues_element ×1', 'photo_missing anhaenge.anhang bad.jpg ×1'],
    { kind: 'whole-scopes', scopes: ['ANID-1'] },
  ]);
});

it('OpenImmo connector keeps the values of the CRM unchanged in the raw record, and omits private and unknown elements', async () => {
  const { raws } = await readDropped(connector, iconv.encode(transfer(object('O1', ODD)), 'windows-1252'));
  expect(raws[0]).toMatchObject({
    affId: 'ANID-1-O1',
    passerelleName: 'openimmo',
    geo: { plz: '6400', etage: 'EG' },
    preise: { kaufpreis: { '@auf_anfrage': 'false', '#text': '349.000,00 €' } },
    zustand_angaben: { baujahr: '0' },
  });
  expect(raws[0]?.['geo']).not.toHaveProperty('geokoordinaten');
  expect(JSON.stringify(raws)).not.toMatch(/PRIVATE|neues_element/);
});

it.each([
  ['all attachments', '<anhaenge>http://p.example/1.jpg</anhaenge>'],
  ['an attachment', '<anhaenge><anhang>http://p.example/1.jpg</anhang></anhaenge>'],
  ['an attachment of a group', '<anhaenge><anhang gruppe="BILD">http://p.example/1.jpg</anhang></anhaenge>'],
  ['the path of an attachment', '<anhaenge><anhang><pfad>http://p.example/1.jpg</pfad></anhang></anhaenge>'],
])(
  'OpenImmo connector reads a photo from a bare URL where %s should be an element, and keeps the URL in the raw record',
  async (_title, inside) => {
    const { listings, raws, warnings } = await readDropped(connector, transfer(object('O1', inside)));
    expect(listings[0]?.photos.map(({ url }) => url)).toEqual(['http://p.example/1.jpg']);
    expect(JSON.stringify(raws[0])).toContain('http://p.example/1.jpg');
    expect(warnings).toEqual([]);
  },
);

it.each([
  ['a person', 'kontaktperson.name'],
  ['a price', 'preise.kaufpreis'],
  ['an area', 'flaechen.wohnflaeche'],
  ['a property type', 'objektkategorie.objektart.haus'],
  ['an address', 'geo.ort'],
  ['a text', 'freitexte.objekt_text'],
  ['an attachment', 'anhaenge.anhang.check'],
])(
  'OpenImmo connector omits an unknown element below %s from the raw record, and warns about it',
  async (_title, path) => {
    const elements = path.split('.');
    const inside =
      elements.map((element) => `<${element}>`).join('') +
      '<eigentuemer><name>PRIVATE</name></eigentuemer>' +
      elements
        .map((element) => `</${element}>`)
        .reverse()
        .join('');
    const { raws, warnings } = await readDropped(connector, transfer(object('O1', inside)));
    expect(JSON.stringify(raws)).not.toContain('PRIVATE');
    expect(warnings).toContain(`unmapped_field ${path}.eigentuemer ×1`);
  },
);

it('OpenImmo connector reports each of several actions for one object, in the order of the file', async () => {
  const objects = [
    object('O1', '', '<aktion aktionart="CHANGE"/>'),
    object('O1', '', '<aktion aktionart="delete"/>'),
    object('O9', '', '<aktion aktionart="DELETE"/>'),
    object('O2', '', '<aktion aktionart="REFERENZ"/>'),
    object('O3', '', '<aktion/>'),
  ];
  const { listings, rejections } = await readDropped(connector, transfer(objects.join('')));
  expect(listings.map(({ affId }) => affId)).toEqual(['ANID-1-O1', 'ANID-1-O3']);
  expect(rejections).toEqual([
    'withdrawn ANID-1-O1: the agency deletes the object (aktionart DELETE)',
    'withdrawn ANID-1-O9: the agency deletes the object (aktionart DELETE)',
    'withdrawn ANID-1-O2: sold or let: kept by the agency as a reference (aktionart REFERENZ)',
  ]);
});

it.each<[string, string, object, string[]]>([
  [
    'causes a warning when it is words around digits',
    '<kaufpreis>ab 349.000 EUR VB</kaufpreis>',
    { prixSurDemande: true },
    ['implausible_value preise.kaufpreis ab 349.000 EUR VB ×1'],
  ],
  ['is on request when it is only words', '<kaufpreis>auf Anfrage</kaufpreis>', { prixSurDemande: true }, []],
  [
    'of zero is replaced by the gross price',
    '<kaufpreis>0</kaufpreis><kaufpreisbrutto>90000</kaufpreisbrutto>',
    { prix: 90000 },
    [],
  ],
])('an OpenImmo price %s', async (_title, preise, expected, noticed) => {
  const kauf = '<objektkategorie><vermarktungsart KAUF="true"/></objektkategorie>';
  const { listings, warnings } = await readDropped(
    connector,
    transfer(object('O1', `${kauf}<preise>${preise}</preise>`)),
  );
  const { prix, loyer, prixSurDemande } = listings[0] ?? {};
  expect(JSON.parse(JSON.stringify({ prix, loyer, prixSurDemande }))).toEqual(expected);
  expect(warnings).toEqual(noticed);
});

it('OpenImmo connector omits an unknown country or currency, and warns about it', async () => {
  const inside = '<geo><land>Atlantis</land></geo><preise><waehrung>Taler</waehrung></preise>';
  const { listings, warnings } = await readDropped(connector, transfer(object('O1', inside)));
  expect([listings[0]?.pays, listings[0]?.prixCurrency]).toEqual([undefined, undefined]);
  expect(warnings).toEqual(['unknown_word preise.waehrung Taler ×1', 'unknown_word geo.land Atlantis ×1']);
});

it('OpenImmo connector rejects only the broken object, and reads the others', async () => {
  const objects =
    object('O1', '') + '<immobilie><geo></immobilie>' + object('O2', '') + '<immobilie><geo/></immobilie>';
  const { listings, rejections } = await readDropped(connector, transfer(objects));
  expect(listings.map(({ affId }) => affId)).toEqual(['ANID-1-O1', 'ANID-1-O2']);
  expect(rejections.map((rejection) => rejection.split(':')[0])).toEqual(['malformed 2', 'missing_id 4']);
});

it('OpenImmo connector rejects a file that declares entities', async () => {
  await expect(readDropped(connector, '<!DOCTYPE openimmo [<!ENTITY a "b">]><openimmo/>')).rejects.toThrow(/DOCTYPE/);
});
