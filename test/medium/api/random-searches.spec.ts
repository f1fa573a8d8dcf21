import { IS_FULL_SIZE, sizeOf } from '../../support/full-size';
import { bare, plainFacet, type PlainListing, plainSearch } from '../../support/plain-search';
import { type ListedListing, PublishedLists } from '../../support/published-lists';
import { seeded } from '../../support/seeded';
import { untilServed } from '../../support/until-served';
import { type ApiUnderTest, startApi } from './api-under-test';
import { generateApiKey, hashApiKey } from '@passerelle/domain';

// Real: PostgreSQL and the API. Fake: the ingestor, which is a function. The test computes the expected results from
// the list only.
const QUERIES = sizeOf('RANDOM_SEARCHES', { brief: 200, full: 1_500 });
const SNAPSHOTS = IS_FULL_SIZE ? 12 : 4;
const SEED = Number(process.env['SEED'] ?? 33);

/** Words that a search treats as equal, by language. */
const SAME: Readonly<Record<string, readonly (readonly string[])[]>> = {
  fr: [
    ['maison', 'maisons', 'Maison', 'MAISONS'],
    ['château', 'châteaux', 'CHATEAU', 'chateaux'],
    ['local', 'locaux', 'Locaux'],
    ['cœur', 'coeur', 'Cœurs'],
    ['été', 'ete', 'Étés'],
    ['jardin', 'jardins'],
    ['location'],
    ['locataire', 'locataires'],
    ['t3'],
  ],
  es: [
    ['habitación', 'habitaciones', 'HABITACION'],
    ['jardín', 'jardines', 'jardin', 'jardins'],
    ['luz', 'luces'],
    ['casa', 'casas'],
  ],
  en: [['house', 'houses', 'House'], ['property', 'properties'], ['garden', 'gardens'], ['glass']],
  de: [
    ['Wohnung', 'Wohnungen'],
    ['Haus', 'Häuser', 'hauser'],
    ['Küche', 'Küchen'],
  ],
};
const LANGUAGES = Object.keys(SAME);
const REFERENCES = ['REF-12/A', 'maisons', 'X 9', 'É-7'];
const ALL_WORDS = Object.values(SAME).flat(2);

function isSameWord(one: string, other: string, language: string | null): boolean {
  if (language === null) return bare(one) === bare(other);
  const group = SAME[language]?.find((words) => words.some((word) => bare(word) === bare(one)));
  return bare(one) === bare(other) || (group?.some((word) => bare(word) === bare(other)) ?? false);
}

const upTo = seeded(SEED);
const random = (): number => upTo(1_000_000) / 1_000_000;
const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)]!;
const maybe = <T>(share: number, value: () => T): T | undefined => (random() < share ? value() : undefined);
const some = <T>(count: number, value: () => T): T[] => Array.from({ length: count }, value);
const degrees = (from: number, to: number): number => Math.round((from + random() * (to - from)) * 100) / 100;

const TOWNS = ['Lyon', 'LYON', 'Saint-Étienne', 'Saint-Etienne', 'Paris, 16e', 'Évreux'];
const TYPES = ['maison', 'appartement', 'terrain'];

function randomListing(affId: string): ListedListing {
  const langue = oneOf(LANGUAGES);
  const text = (language: string): string =>
    some(1 + upTo(4), () => oneOf(SAME[language]!.flat())).join(oneOf([' ', ', ', "-l'"]));
  const other = oneOf(LANGUAGES);
  const isNear = random() < 0.9;
  const fields = {
    langue: langue === 'fr' ? maybe(0.5, () => langue) : langue,
    typeTransaction: maybe(0.9, () => oneOf(['vente', 'location'])),
    typeCode: maybe(0.9, () => oneOf(TYPES)),
    prix: maybe(0.7, () => 100_000 + upTo(6) * 50_000),
    loyer: maybe(0.3, () => 500.5 + upTo(6) * 100),
    loyerPeriode: maybe(0.1, () => 'semaine'),
    surfaceHabitable: maybe(0.8, () => 20 + upTo(12) * 10),
    surfaceTerrain: maybe(0.4, () => upTo(5) * 500 + 100),
    nbrePieces: maybe(0.7, () => 1 + upTo(6)),
    nbreChambres: maybe(0.6, () => 1 + upTo(4)),
    ville: maybe(0.9, () => oneOf(TOWNS)),
    codePostal: maybe(0.8, () => oneOf(['69001', '01000', '42000'])),
    pays: maybe(0.8, () => oneOf(['FR', 'ES'])),
    dpeClasse: maybe(0.5, () => oneOf(['A', 'B', 'G'])),
    dateModification: maybe(0.5, () => `2025-0${1 + upTo(9)}-10T0${upTo(9)}:00:00+02:00`),
    dateCreation: maybe(0.5, () => `2024-1${upTo(3)}-10`),
    ascenseur: maybe(0.5, () => random() < 0.5),
    piscine: maybe(0.5, () => random() < 0.5),
    meuble: maybe(0.3, () => true),
    commentaires: maybe(0.7, () => text(langue)),
    textes: maybe(0.3, () => ({ [other]: { commentaires: text(other) } })),
    ...(random() < 0.85 && {
      latitude: isNear ? degrees(45, 46) : degrees(-90, 90),
      longitude: isNear ? degrees(4, 5) : degrees(-180, 180),
    }),
  };
  const affNum = maybe(0.6, () => oneOf(REFERENCES));
  const intitule = maybe(0.8, () => text(langue));
  return {
    affId,
    ...(affNum !== undefined && { affNum }),
    ...(intitule !== undefined && { intitule }),
    fields,
    isOld: random() < 0.2,
  };
}

function randomQuery(): Record<string, string> {
  const query: Record<string, string | undefined> = {
    typeTransaction: maybe(0.15, () => oneOf(['vente', 'location', 'vente,location'])),
    typeCode: maybe(0.15, () => some(1 + upTo(2), () => oneOf(TYPES)).join()),
    ville: maybe(0.1, () => oneOf(['Lyon', 'lyon,evreux', 'SAINT-ETIENNE', 'nowhere'])),
    codePostal: maybe(0.1, () => oneOf(['69001', '01000,42000'])),
    pays: maybe(0.1, () => oneOf(['FR', 'ES,FR'])),
    dpeClasse: maybe(0.1, () => oneOf(['A', 'A,B', 'Z'])),
    loyerPeriode: maybe(0.03, () => 'semaine'),
    prixMin: maybe(0.15, () => String(100_000 + upTo(7) * 50_000)),
    prixMax: maybe(0.15, () => String(100_000 + upTo(7) * 50_000)),
    loyerMin: maybe(0.05, () => '500.5'),
    loyerMax: maybe(0.05, () => '800'),
    surfaceMin: maybe(0.1, () => String(20 + upTo(12) * 10)),
    surfaceMax: maybe(0.1, () => String(20 + upTo(12) * 10)),
    terrainMin: maybe(0.05, () => '600'),
    piecesMin: maybe(0.1, () => String(1 + upTo(5))),
    chambresMax: maybe(0.1, () => String(1 + upTo(4))),
    ascenseur: maybe(0.08, () => oneOf(['true', 'false'])),
    piscine: maybe(0.08, () => oneOf(['true', 'false'])),
    meuble: maybe(0.05, () => oneOf(['true', 'false'])),
    q: maybe(0.3, () => some(1 + upTo(2), () => oneOf([...ALL_WORDS, ...REFERENCES])).join(oneOf([' ', '.*', ')+(']))),
    bbox: maybe(0.1, () => oneOf(['4.2,45.1,4.8,45.9', '4.5,-90,180,90', '170,-80,4.5,80', '-180,-90,180,90'])),
    around: maybe(0.1, () => `${degrees(45, 46)},${degrees(4, 5)},${1 + upTo(80)}`),
    polygon: maybe(0.12, () => some(3 + upTo(6), () => `${degrees(44.9, 46.1)},${degrees(3.9, 5.1)}`).join(';')),
    sort: maybe(0.5, () => oneOf(['feed', 'prix', '-prix', 'loyer', '-loyer', 'surface', '-surface', 'date', '-date'])),
  };
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const ask = async (path: string, key: string, parameters: Record<string, string>) => {
  const query = new URLSearchParams({ crm: 'kyero', client: 'searched', ...parameters });
  const answer = await api.get(`${path}?${query.toString()}`, { key });
  if (answer.status !== 200) throw new Error(`${path}?${query.toString()}: ${answer.text}`);
  return answer;
};

it(`search finds the same listings as a plain filter, in ${QUERIES} searches of ${SNAPSHOTS} snapshots while lists are published`, async () => {
  const key = generateApiKey();
  const lists = await PublishedLists.of(
    api.database,
    'searched',
    hashApiKey(key, await api.database.installation.keyPepper()),
  );
  const gateway = { id: lists.gatewayId, crm: 'kyero', client: 'searched', key };
  const published: { token: string; list: PlainListing[] }[] = [];
  let list = some(40, () => '').map((_, at) => randomListing(`L${at}`));
  const publishNext = async (): Promise<void> => {
    const changed = list.map((listing) => (random() < 0.15 ? randomListing(listing.affId) : listing));
    const kept = changed.filter(() => random() < 0.93);
    list = [...kept, ...some(upTo(6), () => randomListing(`N${upTo(10_000)}`))].toSorted(() =>
      random() < 0.05 ? 1 : 0,
    );
    list = list.filter(({ affId }, at) => list.findIndex((other) => other.affId === affId) === at);
    await lists.publish(list);
    await untilServed(api.testDatabase, gateway, [api.url]);
    const snapshot = (await ask('/v1/manifest', key, { per_page: '1' })).headers['x-snapshot'] ?? '';
    const { body } = await ask('/v1/properties', key, { per_page: '200', snapshot });
    published.push({ token: snapshot, list: body.data });
  };
  await publishNext();
  let found = 0;
  for (let n = 0; n < QUERIES; n += 1) {
    if (n > 0 && n % Math.ceil(QUERIES / SNAPSHOTS) === 0) await publishNext();
    const query = randomQuery();
    const perPage = 1 + upTo(60);
    const page = 1 + upTo(2);
    const facets = some(1 + upTo(3), () => oneOf(['typeCode', 'ville', 'codePostal', 'piscine', 'nbrePieces']));
    const isCurrent = random() < 0.5;
    const { token, list: searched } = isCurrent ? published.at(-1)! : oneOf(published);
    const { body, headers } = await ask('/v1/search', key, {
      ...query,
      ...{ per_page: String(perPage), page: String(page), facets: facets.join(), pins: 'true' },
      ...(!isCurrent && { snapshot: token }),
    });
    const expected = plainSearch(searched, query, isSameWord);
    found += expected.length;
    const shown = expected.slice((page - 1) * perPage, page * perPage);
    const context = JSON.stringify({ n, query, page, perPage });
    const { page: gotPage, total } = body.meta;
    expect({ context, token: headers['x-snapshot'], page: gotPage, total, data: body.data }).toEqual({
      ...{ context, token, page, total: expected.length, data: shown },
    });
    for (const facet of facets) {
      const counts = (body.facets[facet] as { value: unknown; count: number }[]).map(
        ({ value, count }) => [facet === 'ville' ? bare(value) : String(value), count] as const,
      );
      expect({ context, facet, counts: new Map(counts) }).toEqual({
        context,
        facet,
        counts: plainFacet(expected, facet),
      });
    }
    const placed = expected.filter(({ latitude }) => latitude !== undefined);
    expect(body.pins.map(({ affId }: PlainListing) => affId)).toEqual(placed.map(({ affId }) => affId));
  }
  // The results are neither all empty nor all complete.
  expect(found).toBeGreaterThan(QUERIES);
});
