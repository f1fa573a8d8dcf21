import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource, SecretBox } from '@passerelle/domain';
import { createTestDatabase } from '../../support/test-database';
import { anyTime, GatewaysByCommand, nameOf } from './gateways-by-command';
import { opsTerminal, SECRETS_KEY } from './ops-terminal';

// Real: PostgreSQL and the command line, in this process. Fake: the connectors and the worker.
describe('ops gateway with secrets and keys', () => {
  let gateways: GatewaysByCommand;
  let db: GatewaysByCommand['db'];
  let terminal: GatewaysByCommand['terminal'];

  beforeAll(async () => {
    gateways = await GatewaysByCommand.start();
    ({ db, terminal } = gateways);
  });
  afterAll(() => db.drop());

  it('add prints a key that the API accepts, and prints the key only once', async () => {
    const source = ['--source', 'https://crm.example/feed.xml'];
    const { exitCode, value, err } = await terminal.json('gateway', 'add', ...nameOf('first'), ...source);
    expect({ exitCode, value, err }).toEqual({
      exitCode: 0,
      value: { crm: 'kyero', client: 'first', key: expect.stringMatching(/^psr_[\w-]{43}$/) },
      err: '',
    });
    expect(await gateways.opens('first', (value as { key: string }).key)).toBe(true);
  });

  it('add stores all its values, and seals credentials', async () => {
    const { exitCode, value } = await terminal.json(
      ...[
        'gateway',
        'add',
        ...nameOf('full', 'apimo'),
        '--source',
        'https://u:p@api.example/properties?token=t&limit=5',
      ],
      ...['--credential', 'provider=12', '--credential', 'token=a=b', '--set', 'max-vanished-share=0.50'],
      ...['--key', 'demo-key-full-of-24-chars', '--every', '12h', '--contract-end', '2099-12-31'],
    );
    expect({ exitCode, value }).toEqual({
      exitCode: 0,
      value: { crm: 'apimo', client: 'full', key: 'demo-key-full-of-24-chars' },
    });
    const stored = await db.database.gateways.find('apimo', 'full');
    const { credentials } = (await db.database.gateways.loadForIngest(stored!.id))!;
    expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"provider":"12","token":"a=b"}');
    const shown = await terminal.json('gateway', 'show', ...nameOf('full', 'apimo'));
    expect(shown).toEqual({
      exitCode: 0,
      err: '',
      value: {
        ...{ id: stored!.id, crm: 'apimo', client: 'full', active: true, enabled: true, contract_end: '2099-12-31' },
        source_url: 'https://***@api.example/properties?token=***&limit=5',
        ...{ settings: { 'max-vanished-share': '0.5' }, has_credentials: true, every_seconds: 43_200 },
        ...{ listings: null, snapshot: null, published_at: null, confirmed_at: null },
        ...{ next_run_at: anyTime, missed_runs: 0, failures: 0, failing_since: null, failing_reason: null },
        ...{ held_run: null, held_reason: null, overdue: false, paused: null },
        keys: [
          {
            ...{ id: 2, prefix: 'demo-k', scope: 'both', networks: null },
            ...{ created_at: anyTime, expires_at: null, last_used_on: null },
          },
        ],
        ...{ last_run: null, feedback: null },
        memory: {
          ...{ unchanged_by: null, etag: null, last_modified: null, size_bytes: null, known_records: 0 },
          ...{ whole_list_read_at: null, changes_asked_at: null, newest_removal_at: null, asked_anew_since: null },
          ...{ kept_records: 0, kept_since: null },
        },
      },
    });
  });

  it('add and set need a SECRETS_KEY for sealed values', async () => {
    const without = opsTerminal(db.url, { env: { SECRETS_KEY: '' } });
    const refusal = (what: string) => ({
      exitCode: 1,
      value: { error: `${what} needs SECRETS_KEY, the same as the ingestor has` },
      err: '',
    });
    const [sealed, source] = [nameOf('sealed', 'apimo'), ['--source', 'https://api.example']];
    expect(await without.json('gateway', 'add', ...sealed, ...source)).toEqual(refusal('--source'));
    expect((await terminal.json('gateway', 'add', ...sealed, ...source)).exitCode).toBe(0);
    expect(await without.json('gateway', 'set', ...sealed, ...source)).toEqual(refusal('--source'));
    expect(await without.json('gateway', 'set', ...sealed, '--credential', 'token=x')).toEqual(refusal('--credential'));
    expect(await without.json('gateway', 'set', ...sealed, '--set', 'max-fill-drop=0.3')).toEqual({
      exitCode: 1,
      value: { error: 'the address of the source is sealed, and there is no SECRETS_KEY to read it' },
      err: '',
    });
    expect((await without.json('gateway', 'set', ...sealed, '--every', '20m')).exitCode).toBe(0);
    await terminal.json('gateway', 'remove', ...sealed, '--yes');
  });

  it('add and set seal the source: only its visible part can be read', async () => {
    const secret = 'https://u:p@crm.example/export/5f2c-path-secret/feed.xml?token=query-secret';
    const sealed = nameOf('source-sealed');
    await terminal.json('gateway', 'add', ...sealed, '--source', secret);
    const { id } = (await db.database.gateways.find('kyero', 'source-sealed'))!;
    const stored = async () => (await db.database.gateways.loadForIngest(id))!;
    const shown = 'https://***@crm.example/export/***/feed.xml?token=***';
    const box = new SecretBox(SECRETS_KEY);
    expect((await stored()).sourceUrl).toBe(shown);
    const open = async () => {
      const { sourceUrl, sourceSettings: settings, sealedSource } = await stored();
      return openSource({ sourceUrl, settings, sealedSource }, box);
    };
    expect(await open()).toEqual({ url: secret, settings: {} });

    await terminal.json('gateway', 'set', ...sealed, '--set', 'max-fill-drop=0.3');
    expect(await open()).toEqual({ url: secret, settings: { 'max-fill-drop': '0.3' } });
    await terminal.json('gateway', 'set', ...sealed, '--source', `${secret}2`, '--unset', 'max-fill-drop');
    expect(await open()).toEqual({ url: `${secret}2`, settings: {} });
    const { value } = await terminal.json('gateway', 'show', ...sealed);
    expect(value).toMatchObject({ source_url: shown });

    // A previous release has stored the source in this form.
    await db.query('UPDATE gateway SET source_url = $2, sealed_source = NULL WHERE id = $1', [id, secret]);
    expect((await terminal.json('gateway', 'show', ...sealed)).value).toMatchObject({ source_url: shown });
    await terminal.json('gateway', 'set', ...sealed, '--set', 'max-fill-drop=0.3');
    expect([(await stored()).sourceUrl, await open()]).toEqual([
      shown,
      { url: secret, settings: { 'max-fill-drop': '0.3' } },
    ]);
    await terminal.json('gateway', 'remove', ...sealed, '--yes');
  });

  it('rekey seals everything with a new SECRETS_KEY, and names the keys that still wait for a new hash', async () => {
    const fresh = await createTestDatabase();
    try {
      const [before, after] = ['b'.repeat(32), 'a'.repeat(32)];
      const at = (env: Record<string, string>) => opsTerminal(fresh.url, { env: { SECRETS_KEY: '', ...env } });
      const source = 'https://crm.example/9d2f7c/feed?token=t';
      const waits = (client: string, prefix: unknown) => ({ crm: 'apimo', client, prefix, last_used_on: null });
      const add = ['gateway', 'add', '--crm', 'apimo', '--source', source, '--credential', 'token=c'];
      await at({ SECRETS_KEY: before }).json(...add, '--client', 'sealed');
      await fresh.database.gateways.add(
        {
          ...{ crm: 'apimo', client: 'plain', sourceUrl: source, settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.alloc(32, 1), prefix: 'psr_' },
      );
      await at({ SECRETS_KEY: before }).json(
        'notify',
        'channel',
        'add',
        '--kind',
        'webhook',
        '--to',
        'https://chat.example/h',
      );
      expect(await at({}).json('rekey')).toMatchObject({
        exitCode: 1,
        value: { error: 'rekey needs SECRETS_KEY, the same as the ingestor has' },
      });
      expect(await at({ SECRETS_KEY: after }).json('rekey')).toMatchObject({
        exitCode: 1,
        value: { error: expect.stringContaining('SECRETS_KEY is not the key of this database') },
      });
      const alone = await at({ SECRETS_KEY: after }).json('rekey', '--accept-loss');
      expect(alone).toMatchObject({
        exitCode: 1,
        value: { sealed: 1, unreadable: [{ crm: 'apimo', client: 'sealed' }], error: expect.anything() },
      });
      const { exitCode, value } = await at({ SECRETS_KEY: after, SECRETS_KEY_OLD: before }).json('rekey');
      expect({ exitCode, value }).toEqual({
        exitCode: 0,
        value: {
          sealed: 2,
          unreadable: [],
          keys: { current: 0, waiting: [waits('plain', 'psr_'), waits('sealed', expect.any(String))] },
          webhooks: { sealed: 0, unreadable: 0 },
          calls: { sealed: 0, unreadable: 0 },
          leads: { sealed: 0, unreadable: 0 },
          channels: { sealed: 1, unreadable: 0 },
          placements: { sealed: 0, unreadable: 0 },
        },
      });
      const channel = (await fresh.database.notificationChannels.address(1))!;
      expect(new SecretBox(after).open(channel.address)).toBe('https://chat.example/h');
      expect(new SecretBox(after).open(channel.secret!)).toMatch(/^whsec_/);
      for (const client of ['sealed', 'plain']) {
        const { id } = (await fresh.database.gateways.find('apimo', client))!;
        const { sourceUrl, sourceSettings: settings, ...stored } = (await fresh.database.gateways.loadForIngest(id))!;
        const box = new SecretBox(after);
        expect(openSource({ sourceUrl, settings, sealedSource: stored.sealedSource }, box).url).toBe(source);
        expect(stored.credentials === null ? null : box.open(stored.credentials)).toBe(
          client === 'plain' ? null : '{"token":"c"}',
        );
      }
      const { out } = await at({ SECRETS_KEY: after }).ops('rekey');
      expect(out).toMatch(
        /^2 sources sealed with SECRETS_KEY; 0 keys hashed with it\. The following keys are hashed at their next use/,
      );
      expect(out).toContain('\n  apimo/plain  psr_…  never used\n');
      await fresh.query('DELETE FROM api_key');
      expect((await at({ SECRETS_KEY: after }).ops('rekey')).out).toContain('every key (0) is hashed with it');
    } finally {
      await fresh.drop();
    }
  });

  it('add and set read secrets from standard input and from files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ops-secrets-'));
    try {
      const token = join(folder, 'token');
      writeFileSync(token, 'from-a-file\n');
      const piped = opsTerminal(db.url, { input: 'a-key-from-standard-input\n' });
      const source = ['--source', 'https://api.example', '--credential-file', `token=${token}`];
      const { value } = await piped.json('gateway', 'add', ...nameOf('piped', 'apimo'), ...source, '--key', '-');
      expect(value).toEqual({ crm: 'apimo', client: 'piped', key: 'a-key-from-standard-input' });
      const { id } = (await db.database.gateways.find('apimo', 'piped'))!;
      const { credentials } = (await db.database.gateways.loadForIngest(id))!;
      expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"token":"from-a-file"}');
      const rotated = await piped.json('gateway', 'rotate-key', ...nameOf('piped', 'apimo'), '--key-file', '-');
      expect(rotated.value).toMatchObject({ key: 'a-key-from-standard-input' });
      const set = await piped.json('gateway', 'set', ...nameOf('piped', 'apimo'), '--credential-file', 'token=-');
      expect(set.exitCode).toBe(0);
      const again = (await db.database.gateways.loadForIngest(id))!;
      expect(new SecretBox(SECRETS_KEY).open(again.credentials!)).toBe('{"token":"a-key-from-standard-input"}');
      await terminal.json('gateway', 'remove', ...nameOf('piped', 'apimo'), '--yes');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('add refuses a SECRETS_KEY that the ingestor would refuse', async () => {
    const withShort = opsTerminal(db.url, { env: { SECRETS_KEY: 'short' } });
    const error = 'SECRETS_KEY must have at least 32 characters';
    expect(await withShort.json('gateway', 'list')).toEqual({ exitCode: 1, value: { error }, err: '' });
  });

  it('add sets the scope and networks of a key, and rotate-key keeps them', async () => {
    const words = ['--scope', 'read', '--network', '192.0.2.0/24', '2001:db8::/32'];
    await gateways.add('terms', ...words);
    const keysOf = async () => {
      const { value } = await terminal.json('gateway', 'show', ...nameOf('terms'));
      return (value as { keys: { scope: string; networks: string[] | null; expires_at: string | null }[] }).keys.map(
        ({ scope, networks, expires_at }) => [scope, networks, expires_at !== null],
      );
    };
    const networks = ['192.0.2.0/24', '2001:db8::/32'];
    expect(await keysOf()).toEqual([['read', networks, false]]);
    await terminal.json('gateway', 'rotate-key', ...nameOf('terms'));
    expect(await keysOf()).toEqual([
      ['read', networks, true],
      ['read', networks, false],
    ]);
    // The rotation of a report key does not end the read keys.
    await terminal.json('gateway', 'rotate-key', ...nameOf('terms'), '--scope', 'report', '--network', 'any');
    expect(await keysOf()).toEqual([
      ['read', networks, true],
      ['read', networks, false],
      ['report', null, false],
    ]);
    expect(await terminal.json('gateway', 'rotate-key', ...nameOf('terms'))).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining('--scope') },
    });
    await terminal.json('gateway', 'rotate-key', ...nameOf('terms'), '--scope', 'both');
    expect(await keysOf()).toEqual([
      ['read', networks, true],
      ['read', networks, true],
      ['report', null, true],
      ['both', null, false],
    ]);
    for (const wrong of [
      ['--scope', 'write'],
      ['--network', '10.0.0.0/0'],
      ['--network', 'x'],
    ]) {
      expect(await terminal.json('gateway', 'rotate-key', ...nameOf('terms'), ...wrong)).toMatchObject({ exitCode: 2 });
    }
  });

  it('rotate-key prints a new key, and ends the older ones after the overlap', async () => {
    const { key: first } = await gateways.add('rotated');
    const rotated = await terminal.json('gateway', 'rotate-key', ...nameOf('rotated'), '--overlap', '2d');
    expect(rotated).toEqual({
      exitCode: 0,
      value: { crm: 'kyero', client: 'rotated', key: expect.stringMatching(/^psr_/) },
      err: '',
    });
    const { key: second } = rotated.value as { key: string };
    expect([await gateways.opens('rotated', first), await gateways.opens('rotated', second)]).toEqual([true, true]);
    const [older] = await db.query<{ hours: number }>(
      `SELECT extract(epoch FROM k.expires_at - now())::float / 3600 AS hours
       FROM api_key k JOIN gateway g ON g.id = k.gateway_id WHERE g.client = 'rotated' AND k.expires_at IS NOT NULL`,
    );
    expect(older!.hours).toBeCloseTo(48, 1);
    const third = await terminal.json('gateway', 'rotate-key', ...nameOf('rotated'), '--overlap', '0s');
    expect(await gateways.opens('rotated', second)).toBe(false);
    expect(await gateways.opens('rotated', (third.value as { key: string }).key)).toBe(true);
  });

  it('set replaces or removes credentials', async () => {
    const argv = ['gateway', 'set', ...nameOf('full', 'apimo')];
    expect((await terminal.json(...argv, '--credential', 'token=new')).value).toMatchObject({ has_credentials: true });
    const stored = await db.database.gateways.find('apimo', 'full');
    const { credentials } = (await db.database.gateways.loadForIngest(stored!.id))!;
    expect(new SecretBox(SECRETS_KEY).open(credentials!)).toBe('{"token":"new"}');
    expect((await terminal.json(...argv, '--no-credentials')).value).toMatchObject({ has_credentials: false });
  });
});
