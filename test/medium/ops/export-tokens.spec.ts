import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type OpsTerminal, opsTerminal } from './ops-terminal';

const GATEWAY = ['--crm', 'kyero', '--client', 'agence'];

// Real: PostgreSQL and the command line, in this process.
describe('ops gateway export-token', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;

  beforeAll(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
    await terminal.json('gateway', 'add', ...GATEWAY, '--source', 'https://crm.example/feed.xml');
  });
  afterAll(() => db.drop());

  it('makes a token and shows it once, lists tokens, and revokes the token', async () => {
    const made = await terminal.json('gateway', 'export-token', 'make', ...GATEWAY);
    const { token } = made.value as { token: string };
    expect(made).toMatchObject({
      exitCode: 0,
      value: { crm: 'kyero', client: 'agence', path: `/v1/export/kyero.xml?token=${token}` },
    });
    expect(token).toMatch(/^psx_[\w-]{43}$/);

    const listed = await terminal.json('gateway', 'export-token', 'list', ...GATEWAY);
    expect(listed.value).toEqual([
      { id: expect.any(Number), prefix: token.slice(0, 10), created_at: expect.any(String), last_used_on: null },
    ]);
    const [{ id }] = listed.value as [{ id: number }];
    expect(await terminal.json('gateway', 'export-token', 'revoke', String(id), ...GATEWAY)).toMatchObject({
      exitCode: 0,
      value: { revoked: id },
    });
    expect((await terminal.json('gateway', 'export-token', 'list', ...GATEWAY)).value).toEqual([]);
    expect(await terminal.json('gateway', 'export-token', 'revoke', String(id), ...GATEWAY)).toMatchObject({
      exitCode: 1,
      value: { error: `kyero/agence has no export token ${id}` },
    });
  });
});
