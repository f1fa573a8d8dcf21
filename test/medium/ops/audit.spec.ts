import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '@passerelle/connectors';
import { AUDIT_ACTS, isPassword, RETENTION, signInTokenDigest } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { opsTerminal, type OpsTerminal } from './ops-terminal';

const NAME = ['--crm', 'kyero', '--client', 'a'] as const;
const CALLED = {
  ...{ code: 'kyero', label: 'A CRM', type: 'api', notes: 'where it is', version: 1, settings: {}, credentials: {} },
  fetch: {
    kind: 'pushed',
    webhook: { proof: { kind: 'hmac', header: 'x-signature', hash: 'sha256', encoding: 'hex' }, ids: ['id'] },
  },
} as unknown as Connector;
const HELD = { state: 'held', reasonCode: 'vanished', reason: 'half of it went' } as const;

// Real: PostgreSQL, the command line. Fake: the ingestor.
describe('audit of the command line', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;
  /** A terminal whose connector also supports webhooks from the CRM. */
  let called: OpsTerminal;
  beforeEach(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
    called = opsTerminal(db.url, { connectors: [CALLED] });
  });
  afterEach(() => db.drop());

  const recorded = () => db.database.audit.list({ limit: 100 });
  const acts = async (): Promise<string[]> => (await recorded()).map(({ act }) => act).reverse();
  const done = async (...argv: string[]): Promise<unknown> => {
    const { exitCode, value } = await terminal.json(...argv);
    expect([argv, exitCode, value]).toEqual([argv, 0, value]);
    return value;
  };
  const add = () => done('gateway', 'add', ...NAME, '--source', 'https://user:hunter2hunter2@crm.example/feed.xml');

  it('has an entry for every command that changes something, and no secret', async () => {
    const { key } = (await add()) as { key: string };
    await done('gateway', 'set', ...NAME, '--every', '20m');
    await done('gateway', 'disable', ...NAME);
    await done('gateway', 'enable', ...NAME);
    await done('gateway', 'rotate-key', ...NAME);
    await done('gateway', 'revoke-key', '1', ...NAME);
    const { token } = (await done('gateway', 'export-token', 'make', ...NAME)) as { token: string };
    await done('gateway', 'export-token', 'revoke', '1', ...NAME);
    const hook = ['--url', 'https://agence.example/hook'];
    const { id, secret } = (await done('webhook', 'add', ...NAME, ...hook)) as { id: number; secret: string };
    await done('webhook', 'rotate', String(id), ...NAME);
    await done('webhook', 'remove', String(id), ...NAME);
    const channel = ['--kind', 'email', '--to', 'ops@agence.example'];
    await done('notify', 'channel', 'add', ...channel);
    await done('notify', 'rule', 'add', '--channel', '1', '--event', 'held');
    await done('notify', 'rule', 'remove', '1');
    await done('notify', 'channel', 'remove', '1');
    const opened = (await called.json('call-address', 'open', ...NAME)).value as {
      id: number;
      path: string;
      secret: string;
    };
    expect(opened).toMatchObject({ path: expect.stringMatching(/^\/in\/psc_.{43}$/), secret: expect.any(String) });
    expect(await done('call-address', 'list', ...NAME)).toMatchObject({
      ...{ addresses: [{ id: opened.id, has_secret: true, expires_at: null }], waiting: { listings: 0, since: null } },
    });
    await done('call-address', 'close', String(opened.id), ...NAME);
    await done('ingest', ...NAME);
    await done('run', 'cancel', '1');
    await db.query('UPDATE gateway_schedule SET failures = 1, failing_since = now()');
    await done('retry', '--failed');
    const [gateway] = await db.database.gateways.list();
    const worker = new FakeWorker(db);
    await worker.run(gateway!.id, { listings: ['A', 'B'] });
    const first = await worker.run(gateway!.id, { listings: ['A'] }, HELD);
    await done('run', 'discard', String(first), '--reason', 'half an export');
    const second = await worker.run(gateway!.id, { listings: ['A'] }, HELD);
    await done('run', 'publish', String(second), '--reason', 'they closed');
    await done('gateway', 'revert', ...NAME, '--to', 'previous', '--reason', 'they have not closed');
    await db.query('INSERT INTO revert_guard (gateway_id, snapshot_id) VALUES ($1, 1)', [gateway!.id]);
    await done('gateway', 'release', ...NAME, '--reason', 'they have');
    await done('rekey');
    await done('pause', ...NAME, '--reason', 'they move to another CRM');
    await done('resume', ...NAME);
    const { password } = (await done('operator', 'add', 'zoe', '--role', 'viewer')) as { password: string };
    await done('operator', 'passwd', 'zoe');
    await done('operator', 'link', 'zoe');
    await done('operator', 'disable', 'zoe');
    await done('operator', 'enable', 'zoe');
    await done('operator', 'role', 'zoe', '--role', 'operator');
    await done('operator', 'remove', 'zoe');
    await done('placement', 'add', ...NAME, '--target', 'kyero');
    await done('placement', 'set', '--id', '1', '--lang', 'en');
    await done('placement', 'pause', '--id', '1');
    await done('placement', 'resume', '--id', '1');
    await db.query(`UPDATE placement SET held = '{"code":"vanished","message":"","total":1,"removed":1}'`);
    await db.query(
      `INSERT INTO publication (gateway_id, placement_id, aff_id, advert_id, state) VALUES ($1, 1, 'A', 'A', 'waiting')`,
      [gateway!.id],
    );
    await done('placement', 'approve', '--id', '1', '--reason', 'they closed');
    await done('publication', 'withdraw', '--placement', '1', '--listing', 'A', '--reason', 'the owner asks');
    await done('publication', 'retry', '--placement', '1', '--listing', 'A');
    await done('placement', 'remove', '--id', '1', '--yes');
    await done('gateway', 'remove', ...NAME, '--yes');

    // Tests below check backups, exports, restores and imports. Only the console changes notes and saved lists.
    const elsewhere = [
      'backup',
      'backup failed',
      'restore',
      'gateway export',
      'gateway import',
      'gateway note',
      'view save',
      'view remove',
    ];
    expect(new Set(await acts())).toEqual(new Set(AUDIT_ACTS.filter((act) => !elsewhere.includes(act))));
    const rows = await recorded();
    for (const { who, through } of rows) expect({ who, through }).toEqual({ who: 'cmartin', through: 'ops' });
    expect(rows.find(({ act }) => act === 'gateway set')).toMatchObject({
      ...{ crm: 'kyero', client: 'a', before: { every_seconds: null }, after: { every_seconds: 1200 } },
    });
    expect(rows.find(({ act }) => act === 'run publish')).toMatchObject({
      ...{ runId: second, reason: 'they closed', before: { state: 'held' }, after: { state: 'published' } },
    });
    const text = JSON.stringify(rows);
    for (const told of ['hunter2', key, token, secret, password, opened.path.slice(20), opened.secret])
      expect(text).not.toContain(told);
  });

  it('has no entry for a refused command or for a command that only reads', async () => {
    await add();
    await terminal.json('gateway', 'add', ...NAME, '--source', 'https://crm.example/feed.xml');
    await terminal.json('run', 'publish', '77', '--reason', 'x');
    await terminal.json('operator', 'disable', 'nobody');
    await terminal.json('operator', 'add', 'no name', '--role', 'viewer');
    await terminal.json('gateway', 'disable', '--crm', 'kyero', '--client', 'nobody');
    await terminal.json('gateway', 'list');
    await terminal.json('operator', 'list');
    expect(await acts()).toEqual(['gateway add']);
  });

  it('has an entry for a backup, and an entry for its restore in the new database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'audit-'));
    await add();
    await done('backup', '--to', join(folder, 'b'));
    expect(await acts()).toEqual(expect.arrayContaining(['backup', 'gateway add']));
    const { audit } = db.database;
    expect(await audit.backups()).toMatchObject({ at: expect.any(String), failure: null });
    expect((await audit.backups()).ageSeconds).toBeLessThan(600);

    await terminal.json('backup', '--to', join(folder, 'b'));
    expect(await audit.backups()).toMatchObject({
      at: expect.any(String),
      failure: `${join(folder, 'b')} is not empty`,
    });
    await done('backup', '--to', join(folder, 'c'));
    expect((await audit.backups()).failure).toBeNull();
    const target = await createTestDatabase();
    try {
      await opsTerminal(target.url).json('restore', '--from', join(folder, 'b'));
      const rows = await target.database.audit.list({ limit: 9 });
      expect(rows.map(({ act }) => act)).toEqual(['restore', 'gateway add']);
    } finally {
      await target.drop();
      await rm(folder, { recursive: true });
    }
  });

  it('has an entry for an exported gateway, and one for its import in the other database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'audit-'));
    const target = await createTestDatabase();
    try {
      await add();
      await done('gateway', 'export', ...NAME, '--to', join(folder, 'g'));
      expect(await acts()).toEqual(['gateway add', 'gateway export']);
      await opsTerminal(target.url).json('gateway', 'import', ...NAME, '--from', join(folder, 'g'));
      const [arrived] = await target.database.audit.list({ limit: 9 });
      expect(arrived).toMatchObject({ act: 'gateway import', crm: 'kyero', client: 'a' });
    } finally {
      await target.drop();
      await rm(folder, { recursive: true });
    }
  });

  it('names the operator: --as, else OPS_USER, else the account', async () => {
    await add();
    const named = opsTerminal(db.url, { env: { OPS_USER: 'team-b' } });
    await named.json('gateway', 'disable', ...NAME);
    await named.json('--as', 'zoe', 'gateway', 'enable', ...NAME);
    await named.json('gateway', 'disable', ...NAME, '--as=mehdi');
    expect((await recorded()).map(({ who }) => who)).toEqual(['mehdi', 'zoe', 'team-b', 'cmartin']);
    const { exitCode, value } = await named.json('gateway', 'enable', ...NAME, '--as', ' ');
    expect([exitCode, value]).toEqual([2, { error: '--as takes a name of at most 100 characters' }]);
  });

  it('is kept for two years', async () => {
    await add();
    await db.query(`UPDATE audit SET at = now() - make_interval(days => 729)`);
    await db.database.audit.prune(RETENTION.audit.days);
    expect(await acts()).toHaveLength(1);
    await db.query(`UPDATE audit SET at = now() - make_interval(days => 731)`);
    await db.database.audit.prune(RETENTION.audit.days);
    expect(await acts()).toEqual([]);
  });
});

// Real: PostgreSQL, the command line.
describe('ops operator', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;
  beforeAll(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
  });
  afterAll(() => db.drop());

  it('adds an operator with a password that is printed once and stored as a hash', async () => {
    const { value } = await terminal.json('operator', 'add', 'zoe', '--role', 'operator');
    const { password } = value as { password: string };
    const stored = await db.database.operators.passwordHash('zoe');
    expect(stored).toMatch(/^scrypt\$/);
    expect(await isPassword(password, stored!)).toBe(true);
    expect((await terminal.json('operator', 'add', 'zoe', '--role', 'viewer')).value).toEqual({
      error: 'there is an operator zoe already',
    });
    const listed = (await terminal.ops('operator', 'list')).out;
    expect(listed).toContain('zoe');
    expect(listed).not.toContain(password);
  });

  it('ends the sessions of an operator with a new password, and of a disabled operator', async () => {
    const epoch = async (): Promise<number> => (await db.database.operators.find('zoe'))!.sessionEpoch;
    const first = await epoch();
    await terminal.json('operator', 'passwd', 'zoe');
    expect(await epoch()).toBe(first + 1);
    await terminal.json('operator', 'disable', 'zoe');
    expect(await epoch()).toBe(first + 2);
    await terminal.json('operator', 'enable', 'zoe');
    expect(await epoch()).toBe(first + 2);
  });

  it('makes a sign-in link only for an operator who may sign in', async () => {
    const { value } = await terminal.json('operator', 'link', 'zoe', '--for', '2h');
    const token = new URL((value as { path: string }).path, 'http://console').searchParams.get('token')!;
    expect(await db.database.signIns.findLink(signInTokenDigest(token))).toMatchObject({ name: 'zoe' });
    const stored = await db.query('SELECT * FROM sign_in_link');
    expect(JSON.stringify(stored)).not.toContain(token);
    await terminal.json('operator', 'disable', 'zoe');
    expect((await terminal.json('operator', 'link', 'zoe')).value).toEqual({ error: 'zoe is disabled' });
    expect((await terminal.json('operator', 'link', 'nobody')).exitCode).toBe(1);
  });

  it("makes a sign-in link with the console's database role; with the ingestor's role it says where to run the command", async () => {
    await terminal.json('operator', 'enable', 'zoe');
    const ofConsole = opsTerminal(db.urlOf('operate'), { env: { SECRETS_KEY: '' } });
    expect((await ofConsole.json('operator', 'link', 'zoe')).exitCode).toBe(0);
    const ofIngestor = opsTerminal(db.urlOf('ingest'));
    const { exitCode, value } = await ofIngestor.json('operator', 'link', 'zoe');
    expect([exitCode, value]).toEqual([
      1,
      {
        error:
          'this role of the database may not make a sign-in link: run the command where the console runs, or with the DATABASE_URL of the owner',
      },
    ]);
  });

  it('refuses an unknown role', async () => {
    const { exitCode, value } = await terminal.json('operator', 'add', 'x', '--role', 'root');
    expect([exitCode, value]).toEqual([2, { error: '--role takes viewer, operator, admin, not "root"' }]);
  });
});
