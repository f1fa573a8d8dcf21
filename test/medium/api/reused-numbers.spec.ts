import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
  type TestListing,
} from './api-under-test';

// Real: PostgreSQL and the API. The test ends the API's connections, as the loss of the server does. Fake: the server
// that takes over without the newest list, and the ingestor, which is a function.
let api: ApiUnderTest;

beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const list = (...words: string[]): TestListing[] =>
  words.map((word, n) => ({ affId: `${n}`, affNum: `R${n}`, passerelleName: 'kyero', photos: [], intitule: word }));

/** The highest ids of snapshots and of listing versions. */
async function numbers(): Promise<{ snapshot: number; version: number }> {
  const [row] = await api.testDatabase.query<{ snapshot: number; version: number }>(
    'SELECT (SELECT max(id) FROM snapshot) AS snapshot, (SELECT max(id) FROM listing_version) AS version',
  );
  return row!;
}

/**
 * Simulates a failover that loses the last snapshot of a gateway: the new primary uses the ids of this snapshot and
 * its versions again.
 */
async function forgetLast(gatewayId: number): Promise<void> {
  const { query, urlOf } = api.testDatabase;
  const [before] = await query<{ last: number; previous: number | null }>(
    `SELECT current_snapshot_id AS last,
       (SELECT max(s.id) FROM snapshot s WHERE s.gateway_id = g.id AND s.id < g.current_snapshot_id) AS previous
     FROM gateway g WHERE id = $1`,
    [gatewayId],
  );
  await query('SET session_replication_role = replica');
  await query('UPDATE gateway SET current_snapshot_id = $2 WHERE id = $1', [gatewayId, before!.previous]);
  for (const table of ['listing_normalized', 'listing_raw', 'listing_search']) {
    await query(`DELETE FROM ${table} WHERE version_id IN (SELECT id FROM listing_version WHERE snapshot_id = $1)`, [
      before!.last,
    ]);
  }
  await query('DELETE FROM current_listing WHERE gateway_id = $1', [gatewayId]);
  for (const table of ['listing_version', 'snapshot_chunk', 'listing_change'])
    await query(`DELETE FROM ${table} WHERE snapshot_id = $1`, [before!.last]);
  await query('DELETE FROM snapshot WHERE id = $1', [before!.last]);
  await query('SET session_replication_role = DEFAULT');
  for (const table of ['snapshot', 'listing_version']) {
    await query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), coalesce((SELECT max(id) FROM ${table}), 0) + 1, false)`,
    );
  }
  await query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
    new URL(urlOf('serve')).username,
  ]);
}

/** The list as readers see it, by path. The second read of each path also tests cached answers. */
async function readAll({ query, headers }: Pick<SeededGateway, 'query' | 'headers'>): Promise<Record<string, string>> {
  const paths = [
    'properties',
    'properties?format=raw',
    'properties?ids=0,1,2',
    'manifest',
    'search',
    'search?q=perdue',
  ];
  const read = async (path: string): Promise<[string, string]> => {
    const { body } = await api.get(`/v1/${path}${path.includes('?') ? '&' : '?'}${query}`, headers);
    return [path, JSON.stringify((body as { data: unknown }).data)];
  };
  await Promise.all(paths.map(read));
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

it.each([
  ['a longer list of another gateway', false, ['maison autre', 'maison autre part', 'maison ailleurs']],
  ['a shorter list of another gateway', false, ['maison autre']],
  ['a longer next list of the same gateway', true, ['maison autre', 'maison autre part', 'maison ailleurs']],
  ['a shorter next list of the same gateway', true, ['maison autre']],
])('cached parts of a lost list stay hidden when its numbers are reused for %s', async (_to, isSame, words) => {
  const lost = await addGateway(api.database, { listings: list('maison première') });
  await publishListings(api.database, lost.id, list('maison perdue', 'maison disparue'));
  const given = await numbers();
  await untilServed(api.testDatabase, lost, [api.url]);
  const before = await readAll(lost);
  expect(before['search?q=perdue']).toContain('maison perdue');

  const gateway = isSame ? lost : await addGateway(api.database);
  await forgetLast(lost.id);
  await publishListings(api.database, gateway.id, list(...words));
  const after = await numbers();
  expect([after.snapshot, after.version > given.version - 2]).toEqual([given.snapshot, true]);
  await untilServed(api.testDatabase, gateway, [api.url]);

  const { 'search?q=perdue': found, manifest, 'properties?format=raw': raw, ...full } = await readAll(gateway);
  const { length } = words;
  expect([found, JSON.parse(raw!), JSON.parse(manifest!)]).toMatchObject(['[]', { length }, { length }]);
  expect(manifest!.slice(0, 40)).not.toBe(before['manifest']!.slice(0, 40));
  for (const [path, text] of Object.entries(full)) {
    expect([path, (JSON.parse(text) as TestListing[]).map(({ intitule }) => intitule)]).toEqual([path, words]);
  }
});
