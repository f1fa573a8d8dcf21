import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { access, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { BackupManifest } from '../../../libs/database/src/backup/manifest';
import { TEXT_RULES } from '../../../libs/database/src/backup/text-rules';
import { renewKeys } from '../../support/renewed-keys';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from '../api/api-under-test';
import { opsTerminal, SECRETS_KEY } from './ops-terminal';

type Change = (manifest: BackupManifest, directory: string) => void | Promise<void>;

// Real: PostgreSQL, the command line, files. The tests change files as an attacker would.
describe('untrusted file', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let folder: string;
  let target: TestDatabase;

  beforeAll(async () => {
    api = await startApi({ secretsKey: SECRETS_KEY });
    gateway = await addGateway(api.database, { listings: someListings(3) });
    // Use the key once, so that its hash is made with SECRETS_KEY.
    await api.get(`/v1/status?${gateway.query}`, gateway.headers);
    await renewKeys(api.database, SECRETS_KEY);
    folder = await mkdtemp(join(tmpdir(), 'passerelle-foreign-'));
    const source = opsTerminal(api.testDatabase.url);
    const name = ['--crm', gateway.crm, '--client', gateway.client];
    expect((await source.json('gateway', 'export', ...name, '--to', join(folder, 'one'))).exitCode).toBe(0);
    expect((await source.json('backup', '--to', join(folder, 'all'))).exitCode).toBe(0);
    target = await createTestDatabase();
  });
  afterAll(async () => {
    await target.drop();
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A copy of an export or a backup with a changed, unsigned manifest. */
  async function changed(of: 'one' | 'all', change: Change): Promise<string> {
    const directory = await mkdtemp(join(folder, 'changed-'));
    await cp(join(folder, of), directory, { recursive: true });
    const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as BackupManifest;
    await change(manifest, directory);
    await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
    return directory;
  }

  /**
   * @returns the error of the command that reads these files, after checks that the error has one line and that the
   * database is unchanged
   */
  async function refusal(
    of: 'one' | 'all',
    directory: string,
    words: string[] = [],
    key = SECRETS_KEY,
  ): Promise<string> {
    const command =
      of === 'one' ? ['gateway', 'import', '--crm', gateway.crm, '--client', gateway.client] : ['restore'];
    const terminal = opsTerminal(target.url, { env: { SECRETS_KEY: key } });
    // Removes the name of the key that an earlier command has stored. No value is sealed with that key yet.
    await target.query('UPDATE installation SET secrets_key_name = NULL');
    const { exitCode, err } = await terminal.ops(...command, '--from', directory, ...words);
    expect([exitCode, err.split('\n').length]).toEqual([1, 2]);
    expect(err).not.toContain('    at ');
    for (const table of ['gateway', 'run', 'listing_raw', 'operator']) {
      expect(await target.query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
    return err;
  }

  const tableOf = (manifest: BackupManifest, name: string) => manifest.tables.find((table) => table.name === name)!;

  /** Changes the rows, and adapts the manifest to the new rows. */
  function rows(name: string, edit: (text: string) => string): Change {
    return async (manifest, directory) => {
      const path = join(directory, `${name}.copy.gz`);
      const bytes = await readFile(path);
      const table = tableOf(manifest, name);
      let at = 0;
      const parts = table.parts.map((part) => {
        const text = gunzipSync(bytes.subarray(at, (at += part.bytes))).toString('utf8');
        return gzipSync(edit(text));
      });
      const countOf = (part: Buffer): number => gunzipSync(part).filter((byte) => byte === 10).length;
      table.parts = parts.map((part) => ({
        rows: countOf(part),
        bytes: part.length,
        sha256: createHash('sha256').update(part).digest('hex'),
      }));
      table.rows = table.parts.reduce((sum, part) => sum + part.rows, 0);
      await writeFile(path, Buffer.concat(parts));
    };
  }

  describe.each(['one', 'all'] as const)('for gateways: %s', (of) => {
    it.each<[string, Change]>([
      ['is unsigned', (_, directory) => rm(join(directory, 'manifest.signature'))],
      ['has another manifest than the signed one', (manifest) => void (manifest.takenAt = '2026-01-01T00:00:00.000Z')],
      ['has other rows than the signed ones', rows('listing_normalized', (text) => text.replace('Maison', 'Moulin'))],
    ])('is refused with one sentence when it %s', async (_, change) => {
      expect(await refusal(of, await changed(of, change))).toContain('--accept-foreign');
    });

    it('is refused when it was signed with another key, or when this installation has no key', async () => {
      const whole = join(folder, of);
      expect(await refusal(of, whole, [], 'y'.repeat(32))).toContain('is not from this installation');
      expect(await refusal(of, whole, [], '')).toContain('there is no SECRETS_KEY here');
    });

    it('is refused when the signature matches but the rows do not', async () => {
      const directory = await changed(of, async (manifest, to) => {
        const before = structuredClone(manifest);
        await rows('listing_normalized', (text) => text.replace('{', '{ '))(manifest, to);
        Object.assign(manifest, before);
      });
      const key = Buffer.from(hkdfSync('sha256', SECRETS_KEY, '', 'passerelle: manifests of backups and exports', 32));
      const manifest = await readFile(join(directory, 'manifest.json'));
      await writeFile(join(directory, 'manifest.signature'), createHmac('sha256', key).update(manifest).digest('hex'));
      expect(await refusal(of, directory)).toContain(join(directory, 'listing_normalized.copy.gz'));
    });

    it('cannot run a command through a name in its manifest', async () => {
      const written = join(folder, `written-by-${of}`);
      const hostile = `id) FROM PROGRAM 'touch ${written}'; --`;
      const names: [string, Change][] = [
        ['column', (manifest) => void (tableOf(manifest, 'run').columns[0] = hostile)],
        ['table', (manifest) => void (tableOf(manifest, 'run').name = `run (${hostile}`)],
        ['table', (manifest) => void (tableOf(manifest, 'run').name = '../all/run')],
        ['sequence', (manifest) => void manifest.sequences.push({ name: `x'); ${hostile}`, value: '1' })],
      ];
      for (const [kind, change] of names) {
        const error = await refusal(of, await changed(of, change), ['--accept-foreign']);
        expect(error).toMatch(new RegExp(`manifest.json names a ${kind} ".*, which this release lacks`));
      }
      await expect(access(written)).rejects.toThrow('ENOENT');
    });

    it.each<[string, string, (text: string) => string]>([
      ['JSON', 'listing_normalized', (text) => text.replace('{"', '{')],
      [
        'a JSON object',
        'listing_raw',
        (text) => {
          const end = text.indexOf('\n');
          if (end === -1) return text;
          return `${text.slice(0, text.indexOf('{'))}[]${text.slice(text.lastIndexOf('}', end) + 1)}`;
        },
      ],
      ['another listing', 'listing_normalized', (text) => text.replace('"L-2"', '"L-9"')],
      ['another listing', 'listing_raw', (text) => text.replace('"affId":"L-2"', '"affId":"L-9"')],
      ['must be one of', 'run', (text) => text.replace('published', 'publishing')],
      ['must be 32 bytes', 'api_key', (text) => text.replace(/\\\\x[0-9a-f]+/, '\\\\xab')],
      ['an escape in', 'listing_raw', (text) => text.replace('{"', '\\x7b"')],
      ['fewer values', 'snapshot', (text) => text.replace(/\t[^\t]*\n/, '\n')],
      ['line 1, column', 'run_log', () => '1\t[]\tmany\n'],
      ['twice', 'snapshot_chunk', (text) => text.replace(/\{(\d+),\d+/, '{$1,$1')],
      ['snapshot.copy.gz has another number of listings', 'snapshot_chunk', (text) => text.replace(/\{\d+,/, '{')],
      [
        'gateway.copy.gz names as current a snapshot that was not published',
        'snapshot',
        (text) => text.replaceAll(/(\t[\d-]+ [^\t]+)\t[\d-]+ [^\t]+/g, '$1\t\\N'),
      ],
    ])('is refused with the name of the file when one of its rows is invalid: %s (%s)', async (word, table, edit) => {
      const owner = await api.testDatabase.query<{ id: number }>('SELECT min(id) AS id FROM run');
      const change = rows(table, table === 'run_log' ? () => edit('').replace('1', String(owner[0]!.id)) : edit);
      const directory = await changed(of, change);
      const error = await refusal(of, directory, ['--accept-foreign']);
      expect(error).toContain(word.includes('.copy.gz') ? directory : join(directory, `${table}.copy.gz`));
      expect(error).toContain(word);
    });
  });

  it('is imported with --accept-foreign, but without its search entries, when every row is valid', async () => {
    const other = await createTestDatabase();
    try {
      const directory = await changed('one', (_, to) => rm(join(to, 'manifest.signature')));
      const words = ['gateway', 'import', '--crm', gateway.crm, '--client', gateway.client, '--from', directory];
      expect(await opsTerminal(other.url).json(...words, '--accept-foreign')).toMatchObject({
        exitCode: 0,
        value: { listings: 3 },
      });
      expect(await other.query('SELECT 1 FROM listing_search')).toEqual([]);
    } finally {
      await other.drop();
    }
  });

  it('is checked by a rule for each text and each JSON value of each table', async () => {
    const columns = await target.query<{ name: string }>(
      `SELECT relname || '.' || attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped
         AND atttypid IN ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype)`,
    );
    const ruled = Object.entries(TEXT_RULES).flatMap(([table, rules]) =>
      Object.keys(rules).map((one) => `${table}.${one}`),
    );
    // The hashes of keys and tokens are bytes.
    const hashes = /^(?:api_key|call_address|export_token)\.(?:keyed_)?hash$/;
    expect(ruled.filter((name) => !hashes.test(name)).sort()).toEqual(columns.map(({ name }) => name).sort());
  });
});
