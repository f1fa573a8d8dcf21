import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type OpsTerminal, opsTerminal } from './ops-terminal';

// Real: PostgreSQL and the command line, in this process. Fake: the connectors.
describe('ops pause and resume', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;
  beforeAll(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
    for (const client of ['a', 'b']) {
      const source = ['--source', 'https://feeds.example/feed.xml'];
      await terminal.ops('gateway', 'add', '--crm', 'kyero', '--client', client, ...source);
    }
  });
  afterAll(() => db.drop());

  const A = ['--crm', 'kyero', '--client', 'a'];

  it('pause a connector, and show the pause with each of its gateways', async () => {
    const { exitCode, value } = await terminal.json(
      'pause',
      '--crm',
      'kyero',
      '--until',
      '2h',
      '--reason',
      'they move',
    );
    expect({ exitCode, value }).toEqual({
      exitCode: 0,
      value: { gateways: 2, until: expect.any(String), reason: 'they move' },
    });
    const list = await terminal.json('gateway', 'list', '--state', 'paused');
    expect(list.value).toMatchObject([{ client: 'a', paused: { by: 'cmartin', crm: 'kyero' } }, { client: 'b' }]);
    expect((await terminal.ops('gateway', 'list')).out).toContain('paused until 2');
    expect((await terminal.ops('gateway', 'show', ...A)).out).toMatch(
      /its connector kyero is paused until .* UTC: they move \(by cmartin\)/,
    );
    expect((await terminal.ops('why', ...A, '--id', 'X')).out).toContain(
      'The gateway does not run: its connector kyero',
    );
    expect((await terminal.ops('pauses')).out).toMatch(/kyero .*cmartin +2 +they move/);
    const [audited] = await db.database.audit.list({ limit: 1 });
    expect(audited).toMatchObject({ who: 'cmartin', act: 'pause', crm: 'kyero', client: null, reason: 'they move' });
    expect(audited?.after).toEqual({ until: (value as { until: string }).until, gateways: 2 });
  });

  it('make ingest explain why a paused gateway does not run, and allow a dry run', async () => {
    const refused = await terminal.json('ingest', ...A);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(JSON.stringify(refused.value)).toContain('the gateway kyero/a does not run: its connector kyero is paused');
    expect(await terminal.json('ingest', '--all')).toMatchObject({ exitCode: 0, value: [] });
    expect((await terminal.ops('ingest', ...A, '--dry-run', '--timeout', '1s')).err).toContain('goes on');
    expect(await db.query('SELECT dry_run FROM run')).toEqual([{ dry_run: true }]);
  });

  it('end only the named pause, and resume the gateways that no other pause covers', async () => {
    const other = await terminal.json('resume', ...A);
    expect(JSON.stringify(other.value)).toContain('kyero/a itself is not paused: its connector kyero is paused until');
    await terminal.ops('pause', '--host', 'Feeds.Example');
    expect((await terminal.json('resume', '--crm', 'kyero')).value).toEqual({ resumed: 0, still_paused: 2 });
    expect((await terminal.json('resume', '--host', 'feeds.example')).value).toEqual({ resumed: 2, still_paused: 0 });
    expect((await terminal.json('gateway', 'list', '--state', 'paused')).value).toEqual([]);
    expect((await terminal.json('pauses')).value).toEqual([]);
  });

  it.each([
    [[], '--crm or --host is missing'],
    [['--client', 'a'], '--client needs --crm'],
    [[...A, '--host', 'x'], '--client and --host exclude each other'],
    [['--crm', 'apimo'], 'nothing is paused: there is no gateway of apimo'],
    [['--host', 'https://feeds.example/'], 'is not a host: give only its name'],
    [['--crm', 'kyero', '--until', '2020-01-01'], '--until takes a time in the future'],
    [['--crm', 'kyero', '--until', 'tomorrow'], '--until takes a duration'],
    [['--crm', 'kyero', '--reason', 'x'.repeat(501)], 'a reason has at most 500 characters'],
  ])('refuse to pause with %j', async (options, message) => {
    const { exitCode, value } = await terminal.json('pause', ...options);
    expect(exitCode).not.toBe(0);
    expect(JSON.stringify(value)).toContain(message);
  });
});
