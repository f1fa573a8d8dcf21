import { cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BackupManifest } from '../../../libs/database/src/backup/manifest';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
} from '../api/api-under-test';
import { splitPackets } from '../../support/split-packets';
import { opsTerminal } from './ops-terminal';
import { until } from '../../support/waiting';

const PER_PAGE = 50;
const HEADERS = [
  'etag',
  'x-snapshot',
  'x-snapshot-total',
  'x-confirmed-at',
  'x-cache',
  'last-modified',
  'link',
] as const;

// Real: PostgreSQL, the API, the command line, files. Fake: the ingestor.
describe('backup', () => {
  let api: ApiUnderTest;
  let gateways: SeededGateway[];
  let folder: string;
  let target: TestDatabase;

  beforeAll(async () => {
    api = await startApi();
    const { database } = api;
    gateways = [
      await addGateway(database, { listings: someListings(430, { commentaires: 'Été \\ à\tl’«\u00a0Orée\u00a0»\n' }) }),
      await addGateway(database, { listings: someListings(3) }),
      await addGateway(database, { listings: [] }),
    ];
    await publishListings(database, gateways[1]!.id, someListings(4, { prix: 1 }));
    folder = await mkdtemp(join(tmpdir(), 'passerelle-backup-'));
    expect((await opsTerminal(api.testDatabase.url).json('backup', '--to', join(folder, 'good'))).exitCode).toBe(0);
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    target = await createTestDatabase();
  });
  afterEach(async () => {
    await target.drop();
  });

  /** Every page of every gateway and both dumps, with headers, as the API sends them. */
  async function everythingServed(from: ApiUnderTest): Promise<object[]> {
    const answers: object[] = [];
    for (const { query, headers, client } of gateways) {
      const paths = ['/v1/manifest?', '/v1/properties?ids=L-1&', '/v1/status?'].map((path) => `${path}${query}`);
      for (const format of ['normalized', 'raw']) {
        for (let page = 1; page <= Math.ceil(430 / PER_PAGE) + 1; page += 1) {
          paths.push(`/v1/properties?${query}&format=${format}&per_page=${PER_PAGE}&page=${page}`);
        }
      }
      paths.push(`/?variable1=kyero&variable2=${client}`);
      for (const path of paths) {
        const { status, text, headers: said } = await from.get(path, { ...headers, 'x-request-id': 'the-same' });
        answers.push({ path, status, text, ...Object.fromEntries(HEADERS.map((name) => [name, said[name]])) });
      }
    }
    return answers;
  }

  it('is restored so that the API serves every page of every gateway byte for byte, with the same keys', async () => {
    const before = await everythingServed(api);
    const { value } = await opsTerminal(target.url).json('restore', '--from', join(folder, 'good'));
    expect(value).toMatchObject({ gateways: 3, listings: 434 });

    const restored = await startApi({}, { wayTo: () => Promise.resolve(target.url) });
    try {
      expect(await everythingServed(restored)).toEqual(before);
      expect(before).toHaveLength(3 * 24);
      const wrong = await restored.get(`/v1/properties?${gateways[0]!.query}`, gateways[1]!.headers);
      expect(wrong.status).toBe(401);
    } finally {
      await restored.close();
    }
  });

  it.each([
    ['', 3],
    [', also when no number of partitions is stored', null],
  ])('has every row of every table%s', async (_where, parts) => {
    const { testDatabase } = api;
    const whole = join(folder, `whole-${parts}`);
    await testDatabase.query('UPDATE installation SET parts = $1', [parts]);
    await opsTerminal(testDatabase.url).json('backup', '--to', whole);
    const { tables } = JSON.parse(await readFile(join(whole, 'manifest.json'), 'utf8')) as BackupManifest;
    expect(tables.length).toBeGreaterThan(30);
    // The backup's own audit entry is written after the backup.
    for (const { name, rows, parts: written } of tables.filter((table) => table.name !== 'audit')) {
      const [{ there } = { there: 0 }] = await testDatabase.query<{ there: number }>(
        `SELECT count(*)::int AS there FROM "${name}"`,
      );
      expect([name, rows, written.reduce((sum, part) => sum + part.rows, 0)]).toEqual([name, there, there]);
    }
    await testDatabase.query('UPDATE installation SET parts = 3');
  });

  it('gives the next snapshot a new number after its restore', async () => {
    await opsTerminal(target.url).json('restore', '--from', join(folder, 'good'));
    const [{ last } = { last: 0 }] = await target.query<{ last: number }>('SELECT max(id) AS last FROM snapshot');
    await publishListings(target.database, gateways[1]!.id, someListings(2));
    const rows = await target.query<{ id: number }>('SELECT current_snapshot_id AS id FROM gateway WHERE id = $1', [
      gateways[1]!.id,
    ]);
    expect(rows[0]!.id).toBeGreaterThan(last);
  });

  it('contains no writes from after its start', async () => {
    const { testDatabase, database } = api;
    await testDatabase.query('BEGIN');
    await testDatabase.query('LOCK TABLE report');
    const backup = opsTerminal(testDatabase.url).json('backup', '--to', join(folder, 'moment'));
    await until(async () => {
      const waits = await testDatabase.query(
        `SELECT 1 FROM pg_locks WHERE relation = 'report'::regclass AND NOT granted`,
      );
      return waits.length > 0;
    });
    // This gateway has rows in tables that the backup reads before the locked table, and in tables that it reads later.
    const { id } = await addGateway(database, { listings: someListings(1) });
    await testDatabase.query('COMMIT');
    expect((await backup).value).toMatchObject({ gateways: 3, listings: 434, rows: { run: 4, snapshot: 4 } });
    await database.gateways.remove(id);
  });

  it('is refused in a directory that is not empty', async () => {
    const { exitCode, value } = await opsTerminal(api.testDatabase.url).json('backup', '--to', folder);
    expect({ exitCode, value }).toEqual({ exitCode: 1, value: { error: `${folder} is not empty` } });
  });

  it.each(['backup', 'restore'])(
    'is refused for the role of the ingestors, and "%s" says which role it needs',
    async (command) => {
      const path = join(folder, command === 'backup' ? 'of-a-role' : 'good');
      const { exitCode, value } = await opsTerminal(target.urlOf('ingest')).json(
        ...[command, command === 'backup' ? '--to' : '--from', path],
      );
      expect(exitCode).toBe(1);
      expect(value).toEqual({
        error: expect.stringMatching(/^the role \w+_ingest may not read all tables: .* who owns them$/),
      });
    },
  );

  it('is refused immediately when its directory cannot be created', async () => {
    const { exitCode, value } = await opsTerminal(target.url).json('backup', '--to', '/proc/nope/deep');
    expect([exitCode, value]).toEqual([1, { error: '/proc/nope cannot be made (ENOENT)' }]);
  });

  it('can be restored into a database where an ingestor has only started', async () => {
    await target.database.announcements.hold('an ingestor', 1);
    const { exitCode, value } = await opsTerminal(target.url).json('restore', '--from', join(folder, 'good'));
    expect([exitCode, value]).toMatchObject([0, { gateways: 3 }]);
  });

  it('cannot be restored into a database that is not empty', async () => {
    await addGateway(target.database);
    const { exitCode, value } = await opsTerminal(target.url).json('restore', '--from', join(folder, 'good'));
    expect({ exitCode, value }).toEqual({
      exitCode: 1,
      value: {
        error: expect.stringMatching(/^the database is not empty: there are rows in "\w+"\. Restore into a new one$/),
      },
    });
  });

  it('cannot be restored into a database with another schema', async () => {
    await target.query(`UPDATE schema_migration SET name = 'Newer1' WHERE id = (SELECT max(id) FROM schema_migration)`);
    const { exitCode, value } = await opsTerminal(target.url).json('restore', '--from', join(folder, 'good'));
    expect({ exitCode, value }).toEqual({
      exitCode: 1,
      value: {
        error: expect.stringMatching(/^the backup is of schema \w+, the database of Newer1: restore with the release/),
      },
    });
  });

  it.each([
    ['a file is truncated', 'listing_raw.copy.gz', (path: string) => truncate(path, 50)],
    ['a file is missing', 'gateway.copy.gz', (path: string) => rm(path)],
    ['a file has other rows', 'api_key.copy.gz', (path: string) => writeFile(path, gzipSync(''))],
    ['its manifest is missing', 'manifest.json', (path: string) => rm(path)],
    ['its manifest is damaged', 'manifest.json', (path: string) => truncate(path, 30)],
  ])('is refused when %s, and the database stays unchanged', async (_what, file, damage) => {
    const damaged = await mkdtemp(join(folder, 'damaged-'));
    await rm(damaged, { recursive: true });
    await opsTerminal(api.testDatabase.url).json('backup', '--to', damaged);
    await damage(join(damaged, file));

    const { exitCode, value } = await opsTerminal(target.url).json('restore', '--from', damaged);

    expect(exitCode).toBe(1);
    expect((value as { error: string }).error).toContain(damaged);
    expect(await target.query('SELECT id FROM gateway')).toEqual([]);
    expect(await target.query('SELECT id FROM installation')).toHaveLength(1);
  });

  it('counts its rows correctly, even when the end of the copy arrives in a later packet', async () => {
    const link = await splitPackets(api.testDatabase.url);
    try {
      const late = join(folder, 'late');
      expect((await opsTerminal(link.url).json('backup', '--to', late)).exitCode).toBe(0);
      const { tables } = JSON.parse(await readFile(join(late, 'manifest.json'), 'utf8')) as BackupManifest;
      expect(tables.find(({ name }) => name === 'current_listing')?.rows).toBe(434);
      expect(await opsTerminal(target.url).json('restore', '--from', late)).toMatchObject({
        exitCode: 0,
        value: { listings: 434 },
      });
    } finally {
      await link.close();
    }
  });

  it('is restored from 64 partitions without a warning of Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    const divided = await createTestDatabase({ isMigrated: false });
    process.on('warning', onWarning);
    try {
      await divided.database.migrations.migrate({}, 64);
      await addGateway(divided.database, { listings: someListings(2) });
      const whole = join(folder, 'of-64-parts');
      expect((await opsTerminal(divided.url).json('backup', '--to', whole)).exitCode).toBe(0);
      expect(await opsTerminal(target.url).json('restore', '--from', whole)).toMatchObject({ exitCode: 0 });
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', onWarning);
      await divided.drop();
    }
  });

  it('is checked without a database, and the check of a damaged backup ends with exit code 1', async () => {
    const good = join(folder, 'good');
    expect(await opsTerminal(target.url).json('backup', '--check', good)).toMatchObject({
      exitCode: 0,
      value: { signed: true, listings: 434 },
    });
    const damaged = join(folder, 'checked');
    await cp(good, damaged, { recursive: true });
    await truncate(join(damaged, 'listing_raw.copy.gz'), 50);
    expect(await opsTerminal(target.url).json('backup', '--check', damaged)).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining(join(damaged, 'listing_raw.copy.gz')) },
    });
  });

  it('is restored with --accept-foreign when an earlier release counted its rows wrongly', async () => {
    const earlier = join(folder, 'earlier');
    await cp(join(folder, 'good'), earlier, { recursive: true });
    const path = join(earlier, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as BackupManifest;
    delete manifest.rowsCounted;
    manifest.tables.find(({ name }) => name === 'current_listing')!.rows = 0;
    await writeFile(path, JSON.stringify(manifest));
    await rm(join(earlier, 'manifest.signature'));
    expect(await opsTerminal(target.url).json('backup', '--check', earlier)).toMatchObject({
      exitCode: 0,
      value: { signed: false },
    });
    const restored = await opsTerminal(target.url).json('restore', '--from', earlier, '--accept-foreign');
    expect(restored.exitCode).toBe(0);
    expect(await target.query('SELECT count(*)::int AS n FROM current_listing')).toEqual([{ n: 434 }]);
  });

  it('is readable by its owner only', async () => {
    const good = join(folder, 'good');
    const modes = [good, join(good, 'gateway.copy.gz'), join(good, 'manifest.json')].map(
      async (path) => (await stat(path)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o600]);
  });
});
