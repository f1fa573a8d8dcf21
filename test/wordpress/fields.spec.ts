import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELD_DEFINITIONS, type Listing } from '@passerelle/domain';
import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

type Field = keyof typeof FIELD_DEFINITIONS;

const DOCS = join(__dirname, '../../docs/clients.md');
const photo = { url: 'https://photos.example/1.jpg', empreinte: '0123456789abcdef' };
const link = { url: 'https://documents.example/1.pdf' };

/** A French flat for sale, with the fields that other kinds of offers also have. */
const FLAT: Listing = {
  ...{ affId: 'F', affNum: 'REF-1', passerelleName: 'apimo', intitule: 'Bel appartement', commentaires: 'Au calme' },
  ...{ langue: 'de', textes: { fr: { intitule: 'Appartement lumineux' } }, url: 'https://agence.example/1' },
  ...{ typeTransaction: 'vente', typeTransactionSource: 'V', typeCode: 'appartement', typeCodeSource: 'T4' },
  ...{ prix: 289_000, prixCurrency: 'EUR', prixMention: 'à débattre', prixAncien: 310_000, prixMetreCarre: 3440 },
  ...{ statut: 'sous-compromis', surfaceHabitable: 84, nbrePieces: 4, nbreChambres: 3, ville: 'Lyon', pays: 'FR' },
  ...{ codePostal: '69003', adresse: '1 rue du Parc', quartier: 'Part-Dieu', region: 'Rhône-Alpes' },
  ...{ latitude: 45.751234, longitude: 4.851234, photos: [photo] },
  ...{ agenceNom: 'Agence du Parc', negoNom: 'Anne Petit', negoEmail: 'anne@agence.example', negoTel: '+33400000001' },
  ...{ surfaceTerrain: 120, surfaceCarrez: 83.2, surfaceUtile: 90, surfaceTotale: 101, surfaceBureaux: 12 },
  ...{ nbreSallesDeBain: 1, nbreSallesEau: 2, nbreWc: 2, etage: 3, nbreEtages: 5, anneeConstruction: 1931 },
  ...{ meuble: true, exclusivite: true, neuf: false, balcon: true, terrasse: true, parking: true, ascenseur: true },
  ...{ piscine: false, jardin: true, cave: true, climatisation: false, cuisineEquipee: true, cheminee: true },
  ...{ accessible: true, animaux: true, loue: true, rendement: 4.5, caracteristiques: ['Fibre', 'Interphone'] },
  ...{ nbreParkings: 2, parkingType: 'Box', chauffageType: 'Collectif', chauffageEnergie: 'Gaz', etat: 'Bon état' },
  ...{
    exposition: 'Sud',
    vue: 'Dégagée',
    honoraires: 4,
    honorairesUnite: 'pourcentage',
    honorairesCharge: 'acquereur',
  },
  ...{ honorairesBareme: 'https://agence.example/bareme', prixHorsHonoraires: 277_885, commission: '3,57 %' },
  ...{ bouquet: 50_000, rente: 800, mandatNum: 'M-77', mandatType: 'simple', taxeFonciere: 980, copropriete: true },
  ...{ coproLots: 24, coproCharges: 1450, coproProcedure: false, dpeClasse: 'C', dpeValeur: 140, gesClasse: 'B' },
  ...{ gesValeur: 9, dpeDate: '2024-03-05', dpeVersion: 'DPE_v07-2021', dpeCoutMin: 900, dpeCoutMax: 1280 },
  ...{ dpeAnneeReference: '2023', dpeEnergieFinale: 120, visiteVirtuelle: 'https://tour.example/1' },
  ...{ video: 'https://video.example/1', disponibilite: '2027-03-01', disponibiliteTexte: 'À la signature' },
  ...{ dateCreation: '2026-01-02', dateModification: '2026-02-03', plans: [link], documents: [link] },
  ...{ agenceCarte: 'CPI 6901', negoStatut: 'Agent commercial', negoCarte: 'RSAC 1', numeroEnregistrement: '69383001' },
  ...{ georisques: true, debroussaillement: true, inondationP: 'B', inondationG: 'C', inondationZone: 'hors zone' },
  ...{ permisUrbanisme: true, affectationUrbanisme: 'Habitat', citationUrbanisme: false, droitPreemption: false },
  ...{ permisLotir: false, revenuCadastral: 1234, categorieCadastrale: 'A/2', cedulaHabitabilite: 'LIC-900' },
  ...{ fraisCommunaute: { montant: 70, periode: 'mois' } },
  mentions: [{ code: 'c', pays: 'FR', langue: 'fr', texte: 'Une mention.', source: 's' }],
};

const RENTAL = {
  ...{ affId: 'L', passerelleName: 'onoffice', typeTransaction: 'location', typeCode: 'appartement', pays: 'DE' },
  ...{ loyer: 820, loyerHorsCharges: 700, charges: 200, chargesChauffage: 80, loyerChargesComprises: 900, photos: [] },
  ...{ loyerPeriode: 'semaine', loyerSource: { montant: 190, periode: 'semaine' }, depotGarantie: 2100 },
  ...{ loyerBase: 650, loyerComplement: 50, loyerReferenceMajore: 660, loyerEncadrement: true },
  ...{ loyerEncadrementZone: 'Mitte', chargesModalite: 'forfait', honoraires: 300, honorairesUnite: 'montant' },
  ...{ honorairesEtatDesLieux: 90, agenceTel: '+49300000001', sousOffre: true, agenceNom: 'Makler' },
  energie: [{ pays: 'DE', echelle: 'DE-GEG', grandeur: 'energie-finale', classe: 'C', valeur: 90, unite: 'kWh' }],
} as unknown as Listing;

const PROJECT = {
  ...{ affId: 'P', passerelleName: 'apimo', typeTransaction: 'programme', pays: 'FR', photos: [], ville: 'Lyon' },
  ...{
    intitule: 'Les Tilleuls T3',
    programmeNom: 'Les Tilleuls',
    programmeId: 'P-1',
    programmeLots: 24,
    prixPlage: { min: 190_000, max: 420_000 },
  },
  ...{ surfacePlage: { min: 41 }, piecesPlage: { min: 2, max: 4 } },
} as unknown as Listing;

const LEASEHOLD = {
  ...{ affId: 'B', passerelleName: 'reapit', typeTransaction: 'vente', pays: 'GB', photos: [], bailAnnees: 99 },
  ...{ prixSurDemande: true, prixCurrency: 'GBP', regimePropriete: 'leasehold', bandeCouncilTax: 'D' },
  ...{ redevanceFonciere: { montant: 250, periode: 'an' }, chargesService: { montant: 90, periode: 'mois' } },
  ...{ partAchetee: 40, loyerPart: { montant: 510, periode: 'mois' } },
  informations: [{ partie: 'B', sujet: 'Broadband', texte: 'Fibre' }],
} as unknown as Listing;

/** The rendered pages of listings, without head and foot; `fr_FR` or another locale. */
const RENDER = `
  $id = wp_insert_post(['post_type' => 'passerelle_bien', 'post_title' => 'x', 'post_status' => 'publish', 'post_date' => '2026-01-01 00:00:00']);
  $render = function (array $listing) use ($id): string {
    update_post_meta($id, '_passerelle', wp_slash($listing));
    query_posts(['p' => $id, 'post_type' => 'passerelle_bien']);
    ob_start();
    require WP_PLUGIN_DIR . '/passerelle/templates/single.php';
    preg_match('#<main.*</main>#s', ob_get_clean(), $found);
    return $found[0];
  };`;

let site: Site;
const rendered = (code: string, given: unknown): Promise<unknown> =>
  site.php(
    `$given = json_decode(base64_decode('${Buffer.from(JSON.stringify(given)).toString('base64')}'), true); ${RENDER} ${code}`,
  );
/** The texts of a page between bars, with ordinary spaces. */
function textOf(page: unknown): string {
  const texts = String(page)
    .replaceAll('\u00a0', ' ')
    .split('<')
    .map((part) => part.slice(part.indexOf('>') + 1).trim());
  return `|${texts.filter((text) => text !== '').join('|')}|`;
}

/** The table of docs/clients.md. */
function notForVisitors(): Map<string, string> {
  const [, table = ''] =
    /\| not for visitors \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(readFileSync(DOCS, 'utf8')) ?? [];
  const rows = table.split('\n').filter((row) => row !== '');
  return new Map(
    rows.flatMap((row) => {
      const [, fields = '', reason = ''] = row.split('|').map((cell) => cell.trim());
      return [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']): [string, string] => [field, reason]);
    }),
  );
}

// Real: WordPress, MariaDB, the plugin's page of a listing. There is no gateway: the test stores the listings itself.
describeWordPress('page of a listing', () => {
  beforeAll(async () => {
    site = await createSite({ locale: 'fr_FR' });
    await site.php(
      `Passerelle\\WordPress\\Settings::save(['tiles' => 'https://tiles.example/{z}/{x}/{y}.png'] + Passerelle\\WordPress\\Settings::all()); return 1;`,
    );
  });
  afterAll(() => site.close());

  it('shows every field of the vocabulary, except the fields that the docs list with a reason', async () => {
    const changed = (await rendered(
      `return array_values(array_unique(array_merge(...array_map(function ($listing) use ($render) {
        $whole = $render($listing);
        return array_filter(array_keys($listing), fn($field) => $render(array_diff_key($listing, [$field => 1])) !== $whole);
      }, $given))));`,
      [FLAT, RENTAL, PROJECT, LEASEHOLD],
    )) as string[];
    const given = new Set([FLAT, RENTAL, PROJECT, LEASEHOLD].flatMap((one) => Object.keys(one)));
    const fields = Object.keys(FIELD_DEFINITIONS) as Field[];
    expect(fields.filter((field) => !given.has(field))).toEqual([]);
    const table = notForVisitors();
    expect([...table].filter(([, reason]) => reason === '')).toEqual([]);
    expect(fields.filter((field) => !changed.includes(field)).sort()).toEqual([...table.keys()].sort());
  });

  it('groups the fields under headings, and has no heading without a field', async () => {
    const pages = (await rendered('return array_map($render, $given);', [
      FLAT,
      { affId: 'T', passerelleName: 'kyero', pays: 'ES', prix: 90_000, photos: [] },
    ])) as string[];
    const headings = pages.map((page) => [...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, heading]) => heading));
    expect(headings).toEqual([
      [
        ...['Description', 'Performance énergétique', 'Le bien', 'Équipements', 'Prix et honoraires', 'Disponibilité'],
        ...['Situation', 'Plans, documents et visites', 'Copropriété', 'Diagnostic de performance énergétique'],
        ...['Urbanisme, cadastre et risques', 'Mandat', 'Informations légales', 'Contact'],
      ],
      ['Prix et honoraires', 'Contact'],
    ]);
  });

  it.each<[string, object, string[]]>([
    ['a range of prices', PROJECT, ['|190 000 € – 420 000 €|', '|À partir de 41 m²|', '|2 – 4|']],
    [
      'the lowest price of a range',
      { ...PROJECT, prix: 190_000, prixPlage: { min: 190_000 } },
      ['|À partir de 190 000 €|'],
    ],
    ['the highest price of a range', { ...PROJECT, prixPlage: { max: 250_000 } }, ['|Jusqu’à 250 000 €|']],
    ['the price inside a range', { ...PROJECT, prix: 200_000 }, ['|200 000 €|', '|190 000 € – 420 000 €|']],
    [
      'that a price buys only a share, and the rent of the other share',
      { ...LEASEHOLD, prix: 120_000 },
      ['|120 000 £|', '|le prix achète une part de 40 % · plus un loyer de 510 £ par mois pour l’autre part|'],
    ],
    [
      'the qualifier and the previous price',
      FLAT,
      ['|à débattre · auparavant 310 000 € · ', '|Statut|Sous compromis|'],
    ],
    [
      'the rent of a rental that also has a price',
      { ...RENTAL, prix: 120_000, loyerSource: undefined },
      ['|820 € par mois|'],
    ],
    [
      'the date of a certificate of another country under a heading without the French name',
      { ...RENTAL, dpeDate: '2024-03-05' },
      ['|Détails du certificat énergétique|Date du certificat|5 mars 2024|'],
    ],
    ['heating costs that the charges include', { ...RENTAL }, ['|dont frais de chauffage|80 € par mois|']],
    ['heating costs beside the charges', { ...RENTAL, charges: 120 }, ['|Frais de chauffage|80 € par mois|']],
    [
      'that heating costs are perhaps part of the charges',
      { ...RENTAL, charges: 150 },
      ['|Frais de chauffage (il n’est pas précisé si les charges les comprennent)|80 € par mois|'],
    ],
    [
      'tenure where the country is unknown',
      { ...LEASEHOLD, pays: undefined },
      ['|Régime de propriété|Régime de propriété|leasehold|'],
    ],
  ])('says %s', async (_what, listing, expected) => {
    const text = textOf(await rendered('return $render($given);', listing));
    for (const words of expected) expect(text).toContain(words);
  });

  it('links plans and documents, and runs no script of their addresses', async () => {
    const plans = [{ url: 'https://plans.example/1.pdf', titre: 'RDC <b>' }, { url: 'javascript:alert(1)' }];
    const page = await rendered('return $render($given);', { ...FLAT, plans });
    expect(page).toMatch(/<dt>Plan 1<\/dt><dd><a href="https:\/\/plans\.example\/1\.pdf"[^>]*>RDC &lt;b&gt;<\/a>/);
    expect(page).not.toContain('javascript:');
  });

  it('of a sold listing says so on its card and to search engines', async () => {
    const [card, schema] = (await rendered(
      `update_post_meta($id, '_passerelle', $given); query_posts(['p' => $id, 'post_type' => 'passerelle_bien']);
       ob_start(); Passerelle\\WordPress\\Pages::card($id); $card = ob_get_clean();
       ob_start(); Passerelle\\WordPress\\Pages::schema(); return [$card, ob_get_clean()];`,
      { ...FLAT, statut: 'vendu' },
    )) as [string, string];
    expect(card).toContain('psr-taken">Vendu<');
    expect(schema).toContain('schema.org\\/SoldOut');
  });
});
