import iconv from 'iconv-lite';

import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

function feed(annonces: string, declared = 'ISO-8859-1'): Buffer {
  return iconv.encode(`<?xml version="1.0" encoding="${declared}"?>\n<client>${annonces}</client>`, 'windows-1252');
}

function advert(id: string, prestation: string, bien = '', head = ''): string {
  return `<annonce id="${id}">${head}<bien>${bien}</bien><prestation>${prestation}</prestation></annonce>`;
}

/** Elements in another order, repeated names, unknown and private elements, and an irregular value for every field. */
const ODD = `<u:annonce xmlns:u="urn:u" id=" 1 ">
  <photos><photo>http://p.example//a b.jpg?d=20240301&amp;e=2</photo><photo></photo><photo>IMG_1.JPG</photo><photo>https://p.example/dpe.pdf</photo></photos>
  <type>S</type>
  <u:prestation><prix>349 000,50 €</prix><type> v </type><devise>€</devise><mandat_type>EXCLUSIF</mandat_type>
    <alur_pourcentage_honoraires_ttc>4,5 %</alur_pourcentage_honoraires_ttc><commission>PRIVATE</commission></u:prestation>
  <bien><type>maison</type><code_type> 1136 </code_type><ville>L’Haÿ</ville><ville_reelle>PRIVATE</ville_reelle><code_postal>1000</code_postal>
    <surface>92,5</surface><nb_pieces_logement>T4</nb_pieces_logement><nb_chambres>0</nb_chambres><etage>RDC</etage><annee_construction>0</annee_construction>
    <meuble>N</meuble><ascenseur>false</ascenseur><latitude>0</latitude><longitude>0</longitude>
    <diagnostiques><dpe_etiquette_conso>vierge</dpe_etiquette_conso><dpe_date_realisation>00/00/0000</dpe_date_realisation></diagnostiques></bien>
  <reference>00012</reference><titre><![CDATA[
    Un "titre" & <b>gras</b> à 100 €  ]]></titre>
  <texte>&lt;p&gt;C&amp;oelig;ur &amp;amp;eacute;t&#233;&amp;nbsp;&#13;&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;</texte>
  <date_saisie>1970-01-01</date_saisie><date_integration>02/03/2024 04:10:00</date_integration>
  <proprietaire_nom>PRIVATE</proprietaire_nom><champ_de_demain>x</champ_de_demain>
</u:annonce>`;

it('Ubiflow connector reads an advert with unusual values in all fields field by field', async () => {
  const { listings, warnings, rejections } = await readDropped(connector, feed(ODD));
  expect(listings).toEqual([
    {
      affId: '1',
      affNum: '00012',
      passerelleName: 'ubiflow',
      intitule: 'Un "titre" & gras à 100 €',
      commentaires: 'Cœur été',
      typeTransaction: 'vente',
      typeTransactionSource: 'v',
      typeCode: 'appartement',
      typeCodeSource: '1136',
      prix: 349000.5,
      prixCurrency: 'EUR',
      surfaceHabitable: 92.5,
      nbrePieces: 4,
      ville: 'L’Haÿ',
      codePostal: '01000',
      pays: 'FR',
      photos: [{ url: 'http://p.example//a%20b.jpg?d=20240301&e=2', empreinte: expect.any(String) as string }],
      etage: 0,
      meuble: false,
      exclusivite: true,
      ascenseur: false,
      honoraires: 4.5,
      honorairesUnite: 'pourcentage',
      mandatType: 'EXCLUSIF',
      energie: [{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', statut: 'vierge' }],
      dpeClasse: 'VI',
      langue: 'fr',
      dateModification: '2024-03-02T04:10:00',
    },
  ]);
  expect([warnings, rejections]).toEqual([
    [
      'unmapped_field champ_de_demain ×1',
      'photo_invalid photos.photo https://p.example/dpe.pdf ×1',
      'photo_missing photos.photo IMG_1.JPG ×1',
    ],
    [],
  ]);
});

it('Ubiflow connector keeps the values of the CRM unchanged in the raw record, and omits private and unknown elements', async () => {
  const { raws } = await readDropped(connector, feed(ODD));
  expect(raws[0]).toMatchObject({
    affId: '1',
    affNum: '00012',
    passerelleName: 'ubiflow',
    '@id': '1',
    prestation: { prix: '349 000,50 €', type: 'v' },
    bien: { code_type: '1136', code_postal: '1000', surface: '92,5', etage: 'RDC', annee_construction: '0' },
    titre: '\n    Un "titre" & <b>gras</b> à 100 €  ',
    date_saisie: '1970-01-01',
  });
  expect(JSON.stringify(raws)).not.toMatch(/PRIVATE|champ_de_demain/);
});

it.each<[string, string, string[]]>([
  ['one URL', '<photos>http://p.example/1.jpg</photos>', ['http://p.example/1.jpg']],
  ['one URL in CDATA', '<photos><![CDATA[ http://p.example/1.jpg ]]></photos>', ['http://p.example/1.jpg']],
  [
    'repeated',
    '<photos>http://p.example/1.jpg</photos><photos><photo>http://p.example/2.jpg</photo></photos>',
    ['http://p.example/1.jpg', 'http://p.example/2.jpg'],
  ],
])(
  'Ubiflow connector reads a list of photos that is %s, and keeps it in the raw record',
  async (_title, photos, urls) => {
    const { listings, raws, warnings } = await readDropped(connector, feed(`<annonce id="1">${photos}</annonce>`));
    expect(listings[0]?.photos.map(({ url }) => url)).toEqual(urls);
    expect(JSON.stringify(raws[0])).toContain('http://p.example/1.jpg');
    expect(warnings).toEqual([]);
  },
);

it('Ubiflow connector omits an unknown element below a photo from the raw record, and warns about it', async () => {
  const photo = '<photo ordre="1"><url>https://p.example/1.jpg</url><auteur><nom>PRIVATE</nom></auteur></photo>';
  const { raws, warnings } = await readDropped(connector, feed(`<annonce id="1"><photos>${photo}</photos></annonce>`));
  expect(raws[0]).toMatchObject({ photos: { photo: [{ '@ordre': '1', url: 'https://p.example/1.jpg' }] } });
  expect(JSON.stringify(raws)).not.toContain('PRIVATE');
  expect(warnings).toEqual(['unmapped_field photos.photo.auteur ×1']);
});

it('Ubiflow connector rejects only the broken advert, and returns two adverts with the same id in the order of the file', async () => {
  const annonces = [
    advert('1', '<type>V</type><prix>100000</prix>'),
    advert('2', '<type>L</prestation'),
    advert('1', '<type>V</type><prix>90000</prix>'),
  ];
  const { listings, rejections, summary } = await readDropped(connector, feed(annonces.join('\n')));
  expect(listings.map(({ affId, prix }) => [affId, prix])).toEqual([
    ['1', 100000],
    ['1', 90000],
  ]);
  expect([rejections.length, summary.incomplete]).toEqual([1, null]);
});

describe('Ubiflow price that is hidden or unusual', () => {
  it.each<[string, string, object, string[]]>([
    [
      'is hidden together with its parts',
      '<type>V</type><prix>349000</prix><prix_hors_honoraires>330000</prix_hors_honoraires><afficher_prix>NON</afficher_prix>',
      { prixSurDemande: true },
      [],
    ],
    [
      'is hidden together with the base rent',
      '<type>L</type><loyer>900</loyer><loyer_de_base>850</loyer_de_base><afficher_prix>0</afficher_prix>',
      { prixSurDemande: true },
      [],
    ],
    [
      'causes a warning when it has two meanings',
      '<type>V</type><prix>349.000</prix>',
      {},
      ['implausible_value prestation.prix 349.000 ×1'],
    ],
    [
      'causes a warning when it is words around digits',
      '<type>V</type><prix>à partir de 590 000 €</prix>',
      { prixSurDemande: true },
      ['implausible_value prestation.prix à partir de 590 000 € ×1'],
    ],
    ['is on request when it is only words', '<type>V</type><prix>nous consulter</prix>', { prixSurDemande: true }, []],
    [
      'is read as a weekly rent',
      '<type>S</type><loyer>300</loyer><loyer_frequence>Hebdo</loyer_frequence>',
      { loyer: 1300, loyerPeriode: 'semaine' },
      [],
    ],
    [
      'is read as a yearly rent',
      '<type>L</type><loyer>12 000</loyer><loyer_frequence>par an</loyer_frequence>',
      { loyer: 1000, loyerPeriode: 'an' },
      [],
    ],
    [
      'is on request, with a warning, when the period of the rent is unknown',
      '<type>L</type><loyer>900</loyer><loyer_frequence>lune</loyer_frequence>',
      { prixSurDemande: true },
      ['implausible_value prestation.loyer_frequence lune ×1'],
    ],
  ])('%s', async (_title, prestation, expected, noticed) => {
    const { listings, warnings } = await readDropped(connector, feed(advert('1', prestation)));
    const { prix, loyer, loyerPeriode, prixHorsHonoraires, loyerBase, prixSurDemande } = listings[0] ?? {};
    const prices = { prix, loyer, loyerPeriode, prixHorsHonoraires, loyerBase, prixSurDemande };
    expect(JSON.parse(JSON.stringify(prices))).toEqual(expected);
    expect(warnings).toEqual(noticed);
  });
});

it('Ubiflow connector omits an unknown country or currency, and warns about it', async () => {
  const annonce = advert('1', '<type>V</type><prix>90000</prix><devise>couronnes</devise>', '<pays>Atlantide</pays>');
  const { listings, warnings } = await readDropped(connector, feed(annonce));
  expect([listings[0]?.pays, listings[0]?.prixCurrency]).toEqual([undefined, undefined]);
  expect(warnings).toEqual(['unknown_word prestation.devise couronnes ×1', 'unknown_word bien.pays Atlantide ×1']);
});

it.each<[string, Buffer | string, RegExp]>([
  ['an entity declaration', '<!DOCTYPE client [<!ENTITY a "b">]><client/>', /DOCTYPE/],
  ['a JSON document', '{"annonces":[]}', /JSON/],
  ['an archive', archiveOf({ 'annonces.xml': '<client/>' }), /ZIP archive/],
  ['an empty file', '', /0 bytes/],
])('Ubiflow connector rejects %s', async (_title, content, message) => {
  await expect(readDropped(connector, content)).rejects.toThrow(message);
});

describe('Ubiflow texts in several languages', () => {
  const head =
    '<titre>Villa</titre><titre_anglais>House</titre_anglais><titre_fr>Maison</titre_fr>' +
    '<texte>Quiet</texte><texte_anglais>Quiet</texte_anglais><texte_russe>&#1058;&#1080;&#1093;&#1086;</texte_russe>';

  it('begin with French, and keep the other languages', async () => {
    const { listings, warnings } = await readDropped(connector, feed(advert('1', '<type>V</type>', '', head)));
    expect(listings[0]).toMatchObject({
      intitule: 'Maison',
      commentaires: 'Quiet',
      textes: { en: { intitule: 'House', commentaires: 'Quiet' }, ru: { commentaires: 'Тихо' } },
    });
    expect(warnings).toEqual([]);
  });

  it('begin with the language that the operator prefers', async () => {
    const { listings } = await readDropped(connector, feed(advert('1', '<type>V</type>', '', head)), { langue: 'en' });
    expect(listings[0]).toMatchObject({ intitule: 'House', textes: { fr: { intitule: 'Maison' } } });
  });
});

describe('Ubiflow town that is shown instead of the real town', () => {
  const place =
    '<ville>PRIVATE</ville><code_postal>06999</code_postal><quartier>PRIVATE</quartier><code_insee>PRIVATE</code_insee>' +
    '<communiquer_adresse_exacte>oui</communiquer_adresse_exacte><adresse>PRIVATE</adresse><latitude>43.123456</latitude>' +
    '<longitude>7.123456</longitude>';
  const read = async (internet: string): Promise<[object, string]> => {
    const { listings, raws } = await readDropped(connector, feed(advert('1', '<type>V</type>', place + internet)));
    const { ville, codePostal, quartier, adresse, latitude } = listings[0] ?? {};
    return [
      JSON.parse(JSON.stringify({ ville, codePostal, quartier, adresse, latitude })) as object,
      JSON.stringify(raws),
    ];
  };

  it('is the only location in the listing and in the raw record', async () => {
    const [listing, raw] = await read(
      '<ville_internet>Cannes</ville_internet><code_postal_internet>06400</code_postal_internet>',
    );
    expect(listing).toEqual({ ville: 'Cannes', codePostal: '06400' });
    for (const secret of ['PRIVATE', '06999', '43.12', '7.12']) expect(raw).not.toContain(secret);
  });

  it('hides the real postcode, even when the feed has no other postcode', async () => {
    const [listing, raw] = await read('<ville_internet>Cannes</ville_internet>');
    expect(listing).toEqual({ ville: 'Cannes' });
    expect(raw).not.toContain('06999');
  });

  it('hides nothing when it equals the real town', async () => {
    const [listing] = await read(
      '<ville_internet>private</ville_internet><code_postal_internet>06999</code_postal_internet>',
    );
    expect(listing).toMatchObject({ ville: 'private', codePostal: '06999', adresse: 'PRIVATE', latitude: 43.123456 });
  });
});

it('Ubiflow connector reads an advert without blocks like an advert with blocks', async () => {
  const fields =
    '<type>V</type><prix>215000</prix><code_type>1135</code_type><ville>Nice</ville><surface>61,5</surface>';
  const place =
    '<photo>https://p.example/1.jpg</photo><photo>https://p.example/2.jpg</photo>' +
    '<adresse>PRIVATE</adresse><latitude>43.123456</latitude><longitude>7.123456</longitude>';
  const { listings, raws, warnings } = await readDropped(
    connector,
    feed(`<annonce id="1">${fields}${place}</annonce><annonce id="2"><bien/><prestation/>${fields}${place}</annonce>`),
  );
  for (const listing of listings)
    expect(listing).toMatchObject({
      typeTransaction: 'vente',
      prix: 215000,
      typeCode: 'appartement',
      ville: 'Nice',
      surfaceHabitable: 61.5,
    });
  expect(listings.map(({ photos }) => photos.length)).toEqual([2, 2]);
  expect(raws[0]).toMatchObject({ type: 'V', prix: '215000', ville: 'Nice' });
  expect(JSON.stringify([listings, raws])).not.toMatch(/PRIVATE|43\.12/);
  expect(warnings).toEqual([]);
});

it.each<[string, string, object]>([
  [
    'the whole offer in bien',
    '<bien><code_type>1100</code_type><type>V</type><prix>215000</prix></bien>',
    { prix: 215000 },
  ],
  [
    'a price in bien',
    '<bien><prix>215000</prix></bien><prestation><type>V</type><prix/></prestation>',
    { prix: 215000 },
  ],
  ['a rent in bien', '<type>L</type><bien><loyer>900</loyer></bien>', { typeTransaction: 'location', loyer: 900 }],
  ['a price in annonce', '<prix>215000</prix><bien/><prestation><type>V</type></prestation>', { prix: 215000 }],
  [
    'a price beside the property type in bien',
    '<prestation><type>V</type></prestation><bien><type>maison</type><prix>215000</prix></bien>',
    { typeTransaction: 'vente', prix: 215000 },
  ],
])('Ubiflow connector reads an offer outside prestation: %s', async (_title, inside, expected) => {
  const { listings, warnings } = await readDropped(connector, feed(`<annonce id="1">${inside}</annonce>`));
  expect([listings[0], warnings]).toEqual([expect.objectContaining(expected), []]);
  expect(listings[0]).not.toHaveProperty('prixSurDemande');
});

it('Ubiflow connector warns about an unreadable energy class, flag, year or share', async () => {
  const inside =
    '<dpe_etiquette_conso>Z9</dpe_etiquette_conso><dpe_etiquette_ges>Z8</dpe_etiquette_ges><meuble>parfois</meuble>' +
    '<annee_indice_prix_energies>20-21</annee_indice_prix_energies>';
  const offer = '<type>V</type><prix>1</prix><alur_pourcentage_honoraires_ttc>5 à 6</alur_pourcentage_honoraires_ttc>';
  const { warnings } = await readDropped(
    connector,
    feed(`<annonce id="1"><bien>${inside}</bien><prestation>${offer}</prestation></annonce>`),
  );
  expect(warnings).toEqual(
    expect.arrayContaining([
      'unknown_word dpe_etiquette_conso Z9 ×1',
      'unknown_word dpe_etiquette_ges Z8 ×1',
      'unknown_word bien.meuble parfois ×1',
      'implausible_value bien.annee_indice_prix_energies 20-21 ×1',
      'implausible_value prestation.alur_pourcentage_honoraires_ttc 5 à 6 ×1',
    ]),
  );
});

it('Ubiflow connector reads an ambiguous price in the number style that a later advert shows', async () => {
  const adverts = ['235.000', '1.235.000'].map((price, index) =>
    advert(String(index + 1), `<type>V</type><prix>${price}</prix>`),
  );
  const { listings, warnings } = await readDropped(connector, feed(adverts.join('')));
  expect([listings.map(({ prix }) => prix), warnings]).toEqual([[235000, 1235000], []]);
});
