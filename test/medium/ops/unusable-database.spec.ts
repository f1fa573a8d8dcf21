import { createTestDatabase } from '../../support/test-database';
import { opsTerminal } from './ops-terminal';

describe('unusable database', () => {
  it('is named in the error without its password', async () => {
    const { exitCode, value } = await opsTerminal('postgres://ops:geheim@127.0.0.1:1/db').json('gateway', 'list');
    expect(exitCode).toBe(1);
    expect((value as { error: string }).error).toMatch(/^the database at 127\.0\.0\.1:1 cannot be used: /);
    expect(JSON.stringify(value)).not.toContain('geheim');
  });

  it('is reported when it lacks the tables of Passerelle', async () => {
    const db = await createTestDatabase();
    await db.query('ALTER TABLE gateway RENAME TO gone');
    expect((await opsTerminal(db.url).json('gateway', 'list')).value).toEqual({
      error: 'the database has no Passerelle tables yet: run the migrations, or npm start',
    });
    await db.drop();
  });
});
