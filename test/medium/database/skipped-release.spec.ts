import { DataSource } from 'typeorm';
import { openDatabase } from '@passerelle/database';
import { dataSourceOptions } from '../../../libs/database/src/data-source';
import { MIGRATIONS } from '../../../libs/database/src/migrations/migrations';
import { PAST_RELEASES } from '../../../libs/database/src/migrations/releases';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, with the schema of an earlier release.
describe('an upgrade that would skip a release', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase({ isMigrated: false });
  });
  afterEach(() => db.drop());

  async function migrateTo(count: number): Promise<void> {
    const options = {
      ...dataSourceOptions({ url: db.url, applicationName: 'before' }),
      migrations: MIGRATIONS.slice(0, count),
    };
    const dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations({ transaction: 'each' });
    await dataSource.destroy();
  }

  async function migrate(): Promise<string[]> {
    const database = await openDatabase({ url: db.url, applicationName: 'migrate', statementTimeoutMs: 0 });
    try {
      return (await database.migrations.migrate()).applied;
    } finally {
      await database.close();
    }
  }

  const addGateway = (): Promise<unknown> =>
    db.query(`INSERT INTO gateway (crm, client, source_url) VALUES ('kyero', 'a', 'a')`);
  const names = MIGRATIONS.map(({ name }) => name);
  const last = PAST_RELEASES.at(-1) ?? PAST_RELEASES[0];
  const ofLast = names.indexOf(last.schema) + 1;

  it('is refused before anything changes', async () => {
    await migrateTo(ofLast - 1);
    await addGateway();
    await expect(migrate()).rejects.toThrow(`upgrade to ${last.release} first; nothing was changed`);
    expect(await db.query('SELECT FROM schema_migration')).toHaveLength(ofLast - 1);
  });

  it('is none for a database of the previous release', async () => {
    await migrateTo(ofLast);
    await addGateway();
    expect(await migrate()).toEqual(names.slice(ofLast));
  });

  it('is none for a database that an interrupted first migration has left', async () => {
    await migrateTo(ofLast - 1);
    expect(await migrate()).toEqual(names.slice(ofLast - 1));
  });
});
