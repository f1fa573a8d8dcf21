import { cp, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretBox } from '@passerelle/domain';
import {
  GATEWAY_TABLES,
  isNumbered,
  REFERENCES,
  REFERENCES_LEFT,
  TABLES_LEFT,
  TABLES_OF_MORE,
} from '../../../libs/database/src/backup/gateway-tables';
import type { BackupManifest, BackupPart, BackupTable } from '../../../libs/database/src/backup/manifest';
import { PARTITIONED_TABLES } from '../../../libs/database/src/partitions/partitioned-tables';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
} from '../api/api-under-test';
import { renewKeys } from '../../support/renewed-keys';
import { opsTerminal, SECRETS_KEY } from './ops-terminal';

const HEADERS = ['etag', 'x-snapshot', 'x-snapshot-total', 'x-confirmed-at', 'last-modified'] as const;
/** `MOVED_LISTINGS=5000` is the size with which the published figures were measured. */
const LISTINGS = Number(process.env['MOVED_LISTINGS'] ?? 430);

// Real: PostgreSQL, two APIs, the command line, files. Fake: the ingestor.
describe('gateway that is moved', () => {
  let api: ApiUnderTest;
  let moved: SeededGateway;
  let unused: SeededGateway;
  let paths: string[];
  let before: object[];
  let folder: string;
  let target: TestDatabase;
  let other: SeededGateway;

  async function everythingServed(from: ApiUnderTest): Promise<object[]> {
    const answers: object[] = [];
    for (const path of paths) {
      const { status, text, headers } = await from.get(path, { ...moved.headers, 'x-request-id': 'the-same' });
      answers.push({ path, status, text, ...Object.fromEntries(HEADERS.map((name) => [name, headers[name]])) });
    }
    return answers;
  }

  async function servedBy(database: TestDatabase): Promise<{ answers: object[]; others: string }> {
    const there = await startApi({ secretsKey: SECRETS_KEY }, { wayTo: () => Promise.resolve(database.url) });
    try {
      return {
        answers: await everythingServed(there),
        others: (await there.get(`/v1/manifest?${other.query}`, other.headers)).text.replace(/"request_id":.*/, ''),
      };
    } finally {
      await there.close();
    }
  }

  const move = (words: string[], env: Record<string, string> = {}, url = target.url) => {
    const name = ['--crm', moved.crm, '--client', moved.client];
    return opsTerminal(url, { env }).json('gateway', ...words.slice(0, 1), ...name, ...words.slice(1));
  };

  beforeAll(async () => {
    api = await startApi({ secretsKey: SECRETS_KEY });
    const { database, testDatabase } = api;
    folder = await mkdtemp(join(tmpdir(), 'passerelle-move-'));
    await addGateway(database, { listings: someListings(7) });
    moved = await addGateway(database, {
      listings: someListings(LISTINGS, { commentaires: 'Été \\ à\tl’«\u00a0Orée\u00a0»\n' }),
    });
    unused = await addGateway(database, { listings: someListings(1) });
    const manifest = `/v1/manifest?${moved.query}`;
    const first = (await api.get(manifest, moved.headers)).headers['x-snapshot'];
    await publishListings(database, moved.id, someListings(LISTINGS + 3, { prix: 1 }).slice(5));
    await testDatabase.query(`INSERT INTO run (gateway_id, trigger) VALUES ($1, 'ops')`, [moved.id]);
    await testDatabase.query(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoint (gateway_id, slot, url, events, secret)
         VALUES ($1, 1, 'https://site.example/hook', '{list.published}', $2) RETURNING id
       ), lead AS (INSERT INTO outbox (gateway_id, kind, type, message_id, sealed) VALUES ($1, 'lead', 'lead', gen_random_uuid()::text, $2))
       INSERT INTO outbox (gateway_id, endpoint_id, kind, type, message_id, data, tries)
       SELECT $1, id, 'webhook', 'list.published', 'msg_moved', '{"total":7}', 3 FROM endpoint`,
      [moved.id, new SecretBox(SECRETS_KEY).seal('whsec_')],
    );
    const pages = [1, 2, 3].flatMap((page) => ['normalized', 'raw'].map((format) => `format=${format}&page=${page}`));
    paths = [
      manifest,
      `/v1/manifest?${moved.query}&snapshot=${first}`,
      `/v1/changes?${moved.query}&since=${first}&per_page=200`,
      `/v1/properties/L-9?${moved.query}`,
      `/v1/properties/L-2/history?${moved.query}`,
      `/v1/search?${moved.query}&q=maison`,
      `/v1/status?${moved.query}`,
      ...pages.map((page) => `/v1/properties?${moved.query}&per_page=200&${page}`),
      `/?variable1=${moved.crm}&variable2=${moved.client}`,
    ];
    before = await everythingServed(api);
    await renewKeys(database, SECRETS_KEY);
    const to = ['--to', join(folder, 'one')];
    expect(await move(['export', ...to], {}, testDatabase.url)).toMatchObject({
      exitCode: 0,
      value: { listings: LISTINGS - 2 },
    });
    expect((await opsTerminal(testDatabase.url).json('backup', '--to', join(folder, 'all'))).exitCode).toBe(0);
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });
  // Each test has a target. The ids of its gateway equal the ids of the imported gateway.
  beforeEach(async () => {
    target = await createTestDatabase();
    other = await addGateway(target.database, { listings: someListings(20) });
    await publishListings(target.database, other.id, someListings(21));
  });
  afterEach(() => target.drop());

  it.each([
    ['its export', 'one'],
    ['a backup of everything', 'all'],
  ])('gives the same answers after its import from %s, byte for byte', async (_what, name) => {
    const { others } = await servedBy(target);
    const startedMs = performance.now();
    const { exitCode, value } = await move(['import', '--from', join(folder, name)]);
    process.stderr.write(`${LISTINGS} listings out of ${name}: ${Math.round(performance.now() - startedMs)} ms\n`);

    expect([exitCode, value]).toMatchObject([0, { listings: LISTINGS - 2, keys: 1, rows: { snapshot: 2, run: 3 } }]);
    expect(before.every((answer) => (answer as { status: number }).status === 200)).toBe(true);
    expect(await servedBy(target)).toEqual({ answers: before, others });
    expect(
      await target.query(
        `SELECT o.kind, o.state, o.tries, o.data, e.url FROM outbox o LEFT JOIN webhook_endpoint e ON e.id = o.endpoint_id
         JOIN gateway g ON g.id = o.gateway_id WHERE g.client = $1 ORDER BY o.kind`,
        [moved.client],
      ),
    ).toEqual([
      { kind: 'lead', state: 'pending', tries: 0, data: null, url: null },
      { kind: 'webhook', state: 'pending', tries: 3, data: { total: 7 }, url: 'https://site.example/hook' },
    ]);
    const states = await target.query(
      `SELECT r.state, r.reason, r.snapshot_id = g.current_snapshot_id AS current FROM run r JOIN gateway g ON g.id = r.gateway_id
       WHERE g.client = $1 ORDER BY r.id`,
      [moved.client],
    );
    expect(states).toMatchObject([
      { state: 'published', current: false },
      { state: 'published', current: true },
      { state: 'cancelled', reason: 'its gateway was taken from a backup' },
    ]);
  });

  it('can be imported again after an interruption, and replaces an existing gateway on request', async () => {
    await move(['import', '--from', join(folder, 'one')]);
    const ids = await target.query<{ id: number }>('SELECT id FROM gateway WHERE client = $1', [moved.client]);
    await publishListings(target.database, ids[0]!.id, someListings(4));
    expect(await move(['import', '--from', join(folder, 'one')])).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining('exists already') },
    });

    expect(await move(['import', '--from', join(folder, 'one'), '--replace'])).toMatchObject({ exitCode: 0 });

    expect((await servedBy(target)).answers).toEqual(before);
    expect(await target.query('SELECT id FROM gateway WHERE client = $1', [moved.client])).toHaveLength(1);
  });

  it('is refused when the target would refuse its API keys', async () => {
    const from = ['import', '--from', join(folder, 'all')];
    const foreign = [...from, '--accept-foreign'];
    expect(await move(foreign, { SECRETS_KEY: 'x'.repeat(32) })).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining('SECRETS_KEY of the installation that it comes from') },
    });
    expect(await move(from, { SECRETS_KEY: 'x'.repeat(32), SECRETS_KEY_OLD: SECRETS_KEY })).toMatchObject({
      exitCode: 0,
    });
    // This key was not used since SECRETS_KEY was set, so its hash is made with the secret of the database.
    const words = ['gateway', 'import', '--crm', unused.crm, '--client', unused.client, '--from', join(folder, 'all')];
    const env = { SECRETS_KEY: 'x'.repeat(32), SECRETS_KEY_OLD: SECRETS_KEY };
    expect(await opsTerminal(target.url, { env }).json(...words)).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining('a secret of its installation') },
    });
    expect(await target.query('SELECT 1 FROM gateway WHERE client = $1', [unused.client])).toEqual([]);
  });

  it('needs only its own part of a backup, and other parts may be damaged', async () => {
    const { testDatabase } = api;
    const damaged = join(folder, 'damaged');
    await cp(join(folder, 'all'), damaged, { recursive: true });
    const [{ own } = { own: -1 }] = await testDatabase.query<{ own: number }>(
      `SELECT part AS own FROM gateway g, installation i, generate_series(0, i.parts - 1) part
       WHERE g.client = $1 AND satisfies_hash_partition('snapshot'::regclass, i.parts, part, g.id)`,
      [moved.client],
    );
    const tables = await tablesIn(damaged);
    expect(tables.filter(({ parts }) => parts.length > 1)).toHaveLength(GATEWAY_TABLES.length);
    for (const { name, parts } of tables.filter((table) => table.name !== 'gateway')) {
      for (const part of parts.keys()) if (parts.length > 1 && part !== own) await spoil(damaged, name, parts, part);
    }
    const from = ['import', '--from', damaged];
    expect(await move(from)).toMatchObject({ exitCode: 0, value: { listings: LISTINGS - 2 } });
    expect((await servedBy(target)).answers).toEqual(before);

    await spoil(damaged, 'listing_raw', tables.find(({ name }) => name === 'listing_raw')!.parts, own);
    expect(await move([...from, '--replace'])).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining(join(damaged, 'listing_raw.copy.gz')) },
    });
    expect((await servedBy(target)).answers).toEqual(before);
  });

  it('is named in the error when the backup does not contain it', async () => {
    const words = ['gateway', 'import', '--crm', 'kyero', '--client', 'nobody', '--from', join(folder, 'all')];
    const { exitCode, value } = await opsTerminal(target.url).json(...words);
    expect([exitCode, value]).toEqual([1, { error: `${join(folder, 'all')} has no gateway kyero/nobody` }]);
  });

  it('takes its rows along; every other table stays behind on purpose', async () => {
    const tables = await target.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const decided = [...GATEWAY_TABLES.map(({ table }) => table), ...TABLES_LEFT];
    expect(tables.map(({ name }) => name).sort()).toEqual(decided.sort());

    // A row without a gateway would be in no part of a backup.
    const divided = PARTITIONED_TABLES.map(({ name }) => name);
    for (const { table, key, of } of GATEWAY_TABLES) {
      // A trigger removes the notes of a run together with the run.
      if (table === 'gateway' || of === 'run' || divided.includes(table)) continue;
      const belonging = await target.query(
        `SELECT attnotnull AS sure, pg_get_constraintdef(k.oid) AS key FROM pg_constraint k
         JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
         WHERE k.conrelid = $1::text::regclass AND contype = 'f' AND k.convalidated AND a.attname = $2 AND k.confrelid = $3::text::regclass`,
        [table, key, of],
      );
      // For some tables, a backup also takes the rows without a gateway.
      const sure = !TABLES_OF_MORE.includes(table);
      expect([table, belonging]).toEqual([table, [{ sure, key: expect.stringContaining('ON DELETE CASCADE') }]]);
    }

    const columns = await target.query<{ name: string }>(
      `SELECT DISTINCT attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL ($1::text[]) AND attnum > 0
         AND NOT attisdropped AND atttypid IN ('integer'::regtype, 'bigint'::regtype, 'bigint[]'::regtype)
         AND (attname ~ '_ids?$' OR attname = 'folded_to')`,
      [TABLES_LEFT],
    );
    expect(columns.map(({ name }) => name).sort()).toEqual([...Object.keys(REFERENCES), ...REFERENCES_LEFT].sort());
    expect(Object.values(REFERENCES).every(isNumbered)).toBe(true);
  });
});

async function tablesIn(backup: string): Promise<BackupTable[]> {
  return (JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as BackupManifest).tables;
}

/** Overwrites one part of a table in a backup with zeros. */
async function spoil(backup: string, table: string, parts: readonly BackupPart[], part: number): Promise<void> {
  const file = await open(join(backup, `${table}.copy.gz`), 'r+');
  const at = parts.slice(0, part).reduce((sum, { bytes }) => sum + bytes, 0);
  await file.write(Buffer.alloc(parts[part]!.bytes), 0, parts[part]!.bytes, at);
  await file.close();
}
