import { join } from 'node:path';

import type { Listing } from '@passerelle/domain';

import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { feedDocument } from '../../../../../test/support/connectors/feed-document';
import {
  type FeedSurroundings,
  readRecord,
  readRecords,
  type RecordResult,
} from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

interface Advert {
  attributes?: string;
  /** Elements directly under `annonce`. */
  head?: string;
  bien?: string;
  prestation?: string;
  photos?: string;
}

function advert({ attributes = 'id="1"', head = '', bien = '', prestation = '', photos = '' }: Advert): string {
  return `<annonce ${attributes}>${head}<bien>${bien}</bien><prestation>${prestation}</prestation><photos>${photos}</photos></annonce>`;
}

function result(content: Advert, surroundings?: FeedSurroundings): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('ubiflow', surroundings);
  return { ...readRecord(connector, Buffer.from(advert(content)), context), warnings };
}

function read(
  content: Advert,
  surroundings?: FeedSurroundings,
): { listing: Listing; raw: Record<string, unknown>; warnings: string[] } {
  const got = result(content, surroundings);
  if (!('listing' in got)) throw new Error(JSON.stringify(got));
  return got;
}

describe('identifier of a Ubiflow advert', () => {
  it('is the id, or the reference when there is no id', () => {
    const head = '<reference> 00012 </reference>';
    expect(read({ head }).listing).toMatchObject({ affId: '1', affNum: '00012' });
    expect(read({ attributes: '', head }).listing).toMatchObject({ affId: '00012', affNum: '00012' });
    expect(result({ attributes: 'id=""' })).toMatchObject({ rejected: 'missing_id' });
  });
});

describe('Ubiflow transaction letter', () => {
  it.each([
    ['V', 'vente'],
    ['v', 'vente'],
    ['L', 'location'],
    ['S', 'location-saisonniere'],
    ['W', 'viager'],
    ['F', 'fonds-de-commerce'],
    ['B', 'cession-de-bail'],
    ['I', 'enchere'],
    ['M', 'vente'],
    ['P', 'autre'],
    ['Location saisonnière', 'location-saisonniere'],
  ])('%s means %s', (letter, typeTransaction) => {
    const { listing, warnings } = read({ prestation: `<type>${letter}</type>` });
    expect([listing.typeTransaction, listing.typeTransactionSource, warnings]).toEqual([typeTransaction, letter, []]);
  });

  it.each(['J', 'z'])('%s withdraws the advert', (letter) => {
    expect(result({ prestation: `<type>${letter}</type>` })).toMatchObject({ withdrawn: '1' });
  });

  it.each(['G', 'H'])('%s means a new home or a programme of new homes', (letter) => {
    const prestation = `<type>${letter}</type>`;
    expect(read({ prestation, bien: '<code_type>1100</code_type>' }).listing).toMatchObject({
      typeTransaction: 'vente',
      neuf: true,
    });
    expect(read({ prestation, bien: '<code_type>3200</code_type>' }).listing).toMatchObject({
      typeTransaction: 'programme',
      typeCode: 'appartement',
      neuf: true,
    });
  });

  it('is "autre", with a warning, when it is unknown', () => {
    const { listing, warnings } = read({ prestation: '<type>Q</type>' });
    expect([listing.typeTransaction, warnings]).toEqual(['autre', ['unknown_word prestation.type Q']]);
  });

  it('is read from the block of the offer, because names repeat at several levels', () => {
    const { listing } = read({ head: '<type>S</type>', bien: '<type>maison</type>', prestation: '<type>V</type>' });
    expect([listing.typeTransaction, listing.typeTransactionSource]).toEqual(['vente', 'V']);
  });
});

describe('Ubiflow property type', () => {
  it.each([
    ['1100', 'appartement'],
    ['1139', 'appartement'],
    ['1194', 'appartement'],
    ['1191', 'loft'],
    ['1200', 'maison'],
    ['1241', 'chateau'],
    ['1242', 'hotel-particulier'],
    ['1290', 'maison'],
    ['1310', 'terrain'],
    ['1420', 'parking'],
    ['1500', 'immeuble'],
    ['1901', 'autre'],
    ['2111', 'fonds'],
    ['2311', 'fonds'],
    ['2410', 'bureau'],
    ['2421', 'local'],
    ['2430', 'local'],
    ['2431', 'boutique'],
    ['3100', 'maison'],
    ['4300', 'terrain'],
    ['1299', 'maison'],
  ])('with the code %s is %s', (code, typeCode) => {
    const { listing, warnings } = read({ bien: `<code_type>${code}</code_type>` });
    expect([listing.typeCode, listing.typeCodeSource, warnings]).toEqual([typeCode, code, []]);
  });

  it.each([
    ['<libelle_type>Appartement T3</libelle_type>', 'appartement', 'Appartement T3'],
    ['<code_type/><libelle_type>HÔTEL PARTICULIER</libelle_type>', 'hotel-particulier', 'HÔTEL PARTICULIER'],
    ['<code_type>9999</code_type><libelle_type>Villa</libelle_type>', 'maison', '9999'],
    ['<code_type>maison</code_type>', 'maison', 'maison'],
  ])('from %s is %s', (bien, typeCode, source) => {
    const { listing, warnings } = read({ bien });
    expect([listing.typeCode, listing.typeCodeSource, warnings]).toEqual([typeCode, source, []]);
  });

  it('is "autre", with a warning, when it is unknown', () => {
    const { listing, warnings } = read({
      bien: '<code_type>9999</code_type><libelle_type>Type inconnu</libelle_type>',
    });
    expect([listing.typeCode, warnings]).toEqual(['autre', ['unknown_word bien.code_type 9999']]);
    expect(read({ bien: '<libelle_type>Yourte</libelle_type>' }).warnings).toEqual([
      'unknown_word bien.libelle_type Yourte',
    ]);
    expect(read({}).listing).not.toHaveProperty('typeCode');
  });
});

describe('Ubiflow prices', () => {
  const prices = (prestation: string): Partial<Listing> => {
    const { prix, loyer, loyerPeriode, prixSurDemande } = read({ prestation }).listing;
    return JSON.parse(JSON.stringify({ prix, loyer, loyerPeriode, prixSurDemande })) as Partial<Listing>;
  };

  it.each<[string, Partial<Listing>]>([
    ['<type>V</type><prix>349 000,50 €</prix><loyer>900</loyer>', { prix: 349000.5 }],
    ['<type>V</type><prix>0</prix>', { prixSurDemande: true }],
    ['<type>V</type>', { prixSurDemande: true }],
    ['<type>V</type><prix>349000</prix><afficher_prix>0</afficher_prix>', { prixSurDemande: true }],
    ['<type>V</type><prix>349000</prix><afficher_prix>OUI</afficher_prix>', { prix: 349000 }],
    [
      '<type>L</type><loyer>500</loyer><loyer_mensuel>510</loyer_mensuel><loyer_cc>540</loyer_cc><loyer_mensuel_cc>550</loyer_mensuel_cc>',
      { loyer: 550 },
    ],
    ['<type>L</type><loyer>500</loyer><loyer_mensuel>510</loyer_mensuel><loyer_cc>540</loyer_cc>', { loyer: 540 }],
    ['<type>L</type><loyer_mensuel_cc>0</loyer_mensuel_cc><loyer_mensuel>510</loyer_mensuel>', { loyer: 510 }],
    ['<type>L</type><loyer>500</loyer>', { loyer: 500 }],
    [
      '<type>L</type><loyer>12000</loyer><loyer_frequence>annuel</loyer_frequence>',
      { loyer: 1000, loyerPeriode: 'an' },
    ],
    ['<type>L</type><loyer_an>12000</loyer_an>', { loyer: 1000, loyerPeriode: 'an' }],
    ['<type>L</type><prix>700</prix>', { loyer: 700 }],
    [
      '<type>S</type><tarif_hebdo_basse_saison>300</tarif_hebdo_basse_saison>',
      { loyer: 1300, loyerPeriode: 'semaine' },
    ],
    ['<type>M</type><prix>200000</prix><loyer_mensuel_cc>800</loyer_mensuel_cc>', { prix: 200000, loyer: 800 }],
    ['<type>I</type><enchere_mise_a_prix>50000</enchere_mise_a_prix>', { prix: 50000 }],
  ])('are read from %s', (prestation, expected) => {
    expect(prices(prestation)).toEqual(expected);
  });

  it('have two parts for a life annuity', () => {
    const prestation =
      '<type>W</type><prix>80000</prix><viager_bouquet>50000</viager_bouquet><viager_rente>600</viager_rente>';
    expect(read({ prestation }).listing).toMatchObject({ prix: 80000, bouquet: 50000, rente: 600 });
  });

  it('are in euros unless the feed or the settings name another currency', () => {
    expect(read({}).listing.prixCurrency).toBe('EUR');
    expect(read({ prestation: '<devise>CHF</devise>' }).listing.prixCurrency).toBe('CHF');
    expect(read({}, { settings: { devise: 'XPF' } }).listing.prixCurrency).toBe('XPF');
  });
});

describe('Ubiflow fees', () => {
  it.each<[string, Partial<Listing>]>([
    [
      '<type>V</type><alur_pourcentage_honoraires_ttc>4,57</alur_pourcentage_honoraires_ttc><honoraires_charge_acquereur>1</honoraires_charge_acquereur>',
      { honoraires: 4.57, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' },
    ],
    ['<type>V</type><honoraires_charge_acquereur>NON</honoraires_charge_acquereur>', { honorairesCharge: 'vendeur' }],
    [
      '<type>V</type><honoraires_charge_acquereur>15029</honoraires_charge_acquereur>',
      { honoraires: 15029, honorairesUnite: 'montant', honorairesCharge: 'acquereur' },
    ],
    [
      '<type>L</type><honoraires_location>250</honoraires_location>',
      { honoraires: 250, honorairesUnite: 'montant', honorairesCharge: 'locataire' },
    ],
  ])('are read from %s', (prestation, expected) => {
    expect(read({ prestation }).listing).toMatchObject(expected);
  });
});

describe('Ubiflow areas and rooms', () => {
  it.each([
    ['<surface_habitable>22,5</surface_habitable><surface>30</surface>', 22.5, undefined],
    ['<surface>67.5</surface>', 67.5, undefined],
    ['<code_type>1310</code_type><surface>900</surface>', undefined, 900],
    ['<code_type>1310</code_type><surface>900</surface><surface_terrain>1 200</surface_terrain>', undefined, 1200],
  ])('are read from %s', (bien, surfaceHabitable, surfaceTerrain) => {
    const { listing } = read({ bien });
    expect([listing.surfaceHabitable, listing.surfaceTerrain]).toEqual([surfaceHabitable, surfaceTerrain]);
  });

  it.each([
    ['<nb_pieces_logement>3</nb_pieces_logement><nb_pieces>4</nb_pieces>', 3],
    ['<nb_pieces_logement>0</nb_pieces_logement><nb_pieces>4</nb_pieces>', 4],
    ['<nombre_de_pieces>T5</nombre_de_pieces>', 5],
  ])('get the number of rooms from %s', (bien, nbrePieces) => {
    expect(read({ bien }).listing.nbrePieces).toBe(nbrePieces);
  });
});

describe('Ubiflow location', () => {
  const bien =
    '<ville>Vue</ville><ville_reelle>Cachée</ville_reelle><code_postal>6400</code_postal><adresse>3 rue des Lilas</adresse><latitude>43.5</latitude><longitude>7.0</longitude>';
  const release = (value: string): string => `${bien}<communiquer_adresse_exacte>${value}</communiquer_adresse_exacte>`;

  it('hides the street and the position, in the listing and the raw record, unless the advert releases both', () => {
    const { listing, raw } = read({ bien });
    expect(listing).toMatchObject({ ville: 'Vue', codePostal: '06400', pays: 'FR' });
    for (const field of ['adresse', 'latitude', 'longitude']) expect(listing).not.toHaveProperty(field);
    expect(raw['bien']).toEqual({ ville: 'Vue', code_postal: '6400' });
    expect(read({ bien: release('OUI') })).toMatchObject({
      listing: { adresse: '3 rue des Lilas', latitude: 43.5, longitude: 7 },
      raw: { bien: { adresse: '3 rue des Lilas', latitude: '43.5' } },
    });
  });

  it('hides the street and the position when the advert does not release them', () => {
    const { listing, raw } = read({ bien: release('0') });
    for (const field of ['adresse', 'latitude', 'longitude']) expect(listing).not.toHaveProperty(field);
    expect(raw['bien']).toEqual({ ville: 'Vue', code_postal: '6400', communiquer_adresse_exacte: '0' });
  });

  it('keeps foreign postcodes unchanged', () => {
    expect(read({ bien: '<code_postal>1000</code_postal><pays>Belgique</pays>' }).listing).toMatchObject({
      codePostal: '1000',
      pays: 'BE',
    });
    expect(read({ bien: '<code_postal>1000</code_postal>' }, { settings: { pays: 'LU' } }).listing).toMatchObject({
      codePostal: '1000',
      pays: 'LU',
    });
  });
});

describe('Ubiflow texts', () => {
  it('contain no markup and no entities, however often they were escaped', () => {
    const texte = '<texte><![CDATA[\n <p>C&oelig;ur &amp;eacute;l&#233;gant</p><script>x()</script> ]]></texte>';
    expect(read({ head: texte }).listing.commentaires).toBe('Cœur élégant');
  });

  it.each([
    ['<libelle_type>Appartement T3</libelle_type><nb_pieces>3</nb_pieces><ville>Nice</ville>', 'Appartement T3 à Nice'],
    ['<libelle_type>Maison</libelle_type><nb_pieces>5</nb_pieces><ville>Nice</ville>', 'Maison 5 pièces à Nice'],
    ['<code_type>1310</code_type><ville>Nice</ville>', 'Terrain à Nice'],
  ])('get a generated title when the feed has none: %s', (bien, intitule) => {
    expect(read({ head: '<titre/>', bien }).listing.intitule).toBe(intitule);
  });
});

describe('Ubiflow photos', () => {
  const urls = (photos: string): string[] => read({ photos }).listing.photos.map(({ url }) => url);

  it('may be one, many or none, or elements around URLs', () => {
    expect(urls('<photo>https://p.example.org/1.jpg</photo>')).toEqual(['https://p.example.org/1.jpg']);
    expect(urls('')).toEqual([]);
    expect(
      urls('<photo><url>https://p.example.org/1.jpg</url></photo><photo ordre="2">https://p.example.org/2.jpg</photo>'),
    ).toEqual(['https://p.example.org/1.jpg', 'https://p.example.org/2.jpg']);
  });

  it('change their fingerprint when the query of their URL changes', () => {
    const print = (query: string): unknown =>
      read({ photos: `<photo>https://p.example.org/1.jpg?${query}</photo>` }).listing.photos[0]?.empreinte;
    expect(print('20240301')).not.toBe(print('20240302'));
  });
});

describe('Ubiflow energy certificate', () => {
  const dpe = '<dpe_etiquette_conso>C</dpe_etiquette_conso><dpe_valeur_conso>120</dpe_valeur_conso>';

  it.each<[string, Advert]>([
    ['in bien/diagnostiques', { bien: `<diagnostiques>${dpe}</diagnostiques>` }],
    ['in bien', { bien: dpe }],
    ['in diagnostics of the advert', { head: `<diagnostics>${dpe}</diagnostics>` }],
  ])('is read %s', (_title, content) => {
    expect(read(content).listing).toMatchObject({ dpeClasse: 'C', dpeValeur: 120 });
  });

  it.each([
    ['<dpe_vierge>1</dpe_vierge>', 'VI'],
    ['<soumis_dpe>non</soumis_dpe>', 'NS'],
    ['<dpe_vierge>0</dpe_vierge>', undefined],
  ])('with %s has the class %s', (content, dpeClasse) => {
    expect(read({ bien: `<diagnostiques>${content}</diagnostiques>` }).listing.dpeClasse).toBe(dpeClasse);
  });
});

describe('Ubiflow mandate', () => {
  it.each([
    ['Exclusif', true],
    ['EXCLUSIVITE', true],
    ['Simple', false],
    ['Non exclusif', false],
    ['Semi-exclusif', undefined],
  ])('with the word %s is exclusive: %s', (word, exclusivite) => {
    const { listing } = read({ prestation: `<mandat_type>${word}</mandat_type>` });
    expect([listing.mandatType, listing.exclusivite]).toEqual([word, exclusivite]);
  });
});

describe('Ubiflow dates', () => {
  it.each([
    ['00/00/0000', undefined],
    ['01/02/2024', '2024-02-01'],
    ['02/03/2024 04:10:00', '2024-03-02T04:10:00'],
  ])('are read from %s', (text, dateModification) => {
    expect(read({ head: `<date_integration>${text}</date_integration>` }).listing.dateModification).toBe(
      dateModification,
    );
  });
});

describe('private data of a Ubiflow advert', () => {
  it.each([
    'proprietaire_nom',
    'mandataire_telephone',
    'occupant_email',
    'commentaire_prive',
    'prix_vendu_net',
    'ville_reelle',
    'champ_inconnu',
  ])('from %s is omitted, wherever the element is', (name) => {
    const element = `<${name}>SECRET</${name}>`;
    const got = read({
      head: element,
      bien: `${element}<diagnostiques>${element}</diagnostiques>`,
      prestation: element,
    });
    expect(JSON.stringify(got)).not.toContain('SECRET');
  });
});

describe('Ubiflow feed', () => {
  const feed = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?><client>${advert({ head: '<titre>Cœur d’été – 100 €</titre>' })}</client>`;

  it.each<[string, string, BufferEncoding]>([
    ['UTF-8', 'utf-8', 'utf8'],
    ['UTF-8 that is declared as windows-1252', 'windows-1252', 'utf8'],
    ['UTF-16', 'utf-16', 'utf16le'],
  ])('is read in %s', async (_title, declared, encoding) => {
    const { records, warnings } = await readRecords(connector, Buffer.from(feed(declared), encoding));
    expect([records, warnings]).toMatchObject([[{ listing: { intitule: 'Cœur d’été – 100 €' } }], []]);
  });

  it.each(['windows-1252', 'iso-8859-1', 'utf-8'])(
    'is read in windows-1252 when it is declared as %s',
    async (declared) => {
      const bytes = Buffer.from(
        feed(declared).replace('œ', '\x9c').replace('’', '\x92').replace('–', '\x96').replace('€', '\x80'),
        'latin1',
      );
      const { records, warnings } = await readRecords(connector, bytes);
      expect(records).toMatchObject([{ listing: { intitule: 'Cœur d’été – 100 €' } }]);
      expect(warnings).toEqual(declared === 'utf-8' ? ['wrong_encoding utf-8'] : []);
    },
  );

  it('has no records, warnings or notes when it is empty', async () => {
    expect(await readRecords(connector, Buffer.from('<client/>'))).toEqual({ records: [], warnings: [], notes: [] });
  });

  it('is incomplete when it is cut', async () => {
    const { notes } = await readRecords(connector, Buffer.from(feed('utf-8').slice(0, -20)));
    expect(notes).toEqual([expect.stringMatching(/^incomplete/)]);
  });

  it('is rejected when it is a login page', async () => {
    await expect(
      connector.format.slice(feedDocument('<html><body>Connexion</body></html>'))[Symbol.asyncIterator]().next(),
    ).rejects.toThrow(/html/);
  });
});
