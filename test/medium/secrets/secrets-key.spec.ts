import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule } from '@passerelle/database';
import { nameOfSecret, SecretBox } from '@passerelle/domain';
import pino from 'pino';
import { parseConfig as apiConfig } from '../../../apps/api/src/config';
import { createApp as createApi } from '../../../apps/api/src/create-app';
import { HealthController as ApiHealth } from '../../../apps/api/src/health/health.controller';
import { parseConfig as consoleConfig } from '../../../apps/console/src/config';
import { createApp as createConsole } from '../../../apps/console/src/create-app';
import { parseConfig as ingestorConfig } from '../../../apps/ingestor/src/config';
import { API_DOCUMENTS } from '../../support/api-documents';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { addGateway } from '../api/api-under-test';
import { opsTerminal } from '../ops/ops-terminal';

const CONSOLE_SECRET = 'a secret of the console, of 32 characters';

// Real: the boot of the API and the console, the boot of the ingestor's database, under their roles; the command
// line, PostgreSQL.

type Environment = Record<string, string>;
const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((word) => `the ${word} key of this installation, 2026`);
const WRONG = 'SECRETS_KEY is not the key of this database';
const log = pino({ level: 'silent' });

describe('SECRETS_KEY', () => {
  let db: TestDatabase;
  const opened: INestApplicationContext[] = [];
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    while (opened.length > 0) await opened.pop()?.close();
    await db.drop();
  });

  const keep = async <App extends INestApplicationContext>(app: Promise<App>): Promise<App> => {
    const ready = await app;
    opened.push(ready);
    return ready;
  };
  const api = (env: Environment) =>
    keep(createApi({ config: apiConfig({ DATABASE_URL: db.urlOf('serve'), ...env }), documents: API_DOCUMENTS }));
  const ingestor = async (env: Environment) => {
    const { databaseUrl: url, ...secretsKeys } = ingestorConfig({ DATABASE_URL: db.urlOf('ingest'), ...env });
    const module = await DatabaseModule.forRoot('ingestor', { url, applicationName: 'ingestor', secretsKeys });
    return keep(NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }));
  };
  const console = (env: Environment) =>
    keep(createConsole({ config: consoleConfig({ DATABASE_URL: db.urlOf('operate'), CONSOLE_SECRET, ...env }), log }));
  const ALL = { api, ingestor, console };
  const nameInDatabase = async (): Promise<string | null> =>
    (await db.query<{ name: string | null }>('SELECT secrets_key_name AS name FROM installation'))[0]!.name;
  const ops = (env: Environment, ...command: string[]) =>
    opsTerminal(db.url, { env: { SECRETS_KEY: '', ...env } }).json(...command);
  const ADD = ['gateway', 'add', '--crm', 'apimo', '--source', 'https://crm.example/feed', '--credential', 'token=c'];

  it('is named in a new database by the first process that writes, and then no process starts with another key', async () => {
    await api({ SECRETS_KEY: FIRST! });
    expect(await nameInDatabase()).toBeNull();
    await ingestor({ SECRETS_KEY: SECOND! });
    expect(await nameInDatabase()).toBe(nameOfSecret(SECOND!));
    for (const boot of Object.values(ALL)) {
      await expect(boot({ SECRETS_KEY: FIRST! })).rejects.toThrow(WRONG);
      await expect(boot({ SECRETS_KEY: FIRST!, SECRETS_KEY_OLD: THIRD! })).rejects.toThrow('neither');
      await boot({ SECRETS_KEY: SECOND! });
    }
    expect(await ops({ SECRETS_KEY: FIRST! }, ...ADD, '--client', 'a')).toMatchObject({
      exitCode: 1,
      value: { error: expect.stringContaining(WRONG) },
    });
  });

  it('may be the previous key until rekey has run, and processes with only that key are not ready afterwards', async () => {
    await ops({ SECRETS_KEY: FIRST! }, ...ADD, '--client', 'a');
    const rotation = { SECRETS_KEY: SECOND!, SECRETS_KEY_OLD: FIRST! };
    const lateApi = (await api({ SECRETS_KEY: FIRST! })).get(ApiHealth, { strict: false });
    const lateConsole = await console({ SECRETS_KEY: FIRST! });
    await lateConsole.init();
    for (const boot of Object.values(ALL)) {
      await boot(rotation);
      await expect(boot({ SECRETS_KEY: SECOND! })).rejects.toThrow(WRONG);
    }
    expect(await nameInDatabase()).toBe(nameOfSecret(FIRST!));
    expect((await ops({ SECRETS_KEY: SECOND! }, 'rekey')).value).toMatchObject({
      error: expect.stringMatching(
        /^SECRETS_KEY is not the key of this database: .*; if that key is lost: rekey --accept-loss$/,
      ),
    });
    await lateApi.ready();
    expect(await ops(rotation, 'rekey')).toMatchObject({ exitCode: 0, value: { sealed: 1 } });
    expect(await nameInDatabase()).toBe(nameOfSecret(SECOND!));
    await expect(lateApi.ready()).rejects.toThrow(`Not ready: ${WRONG}`);
    const answer = await lateConsole.inject('/health/ready');
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: 'unavailable', database: expect.stringContaining(WRONG) },
    ]);
    for (const boot of Object.values(ALL)) {
      await boot({ SECRETS_KEY: SECOND! });
      await expect(boot({ SECRETS_KEY: FIRST! })).rejects.toThrow(WRONG);
    }
  });

  it('is recognized in an existing database by the key names in its hashes', async () => {
    await ops({ SECRETS_KEY: FIRST! }, ...ADD, '--client', 'a');
    await ops({ SECRETS_KEY: FIRST! }, 'gateway', 'export-token', 'make', '--crm', 'apimo', '--client', 'a');
    await db.query('UPDATE installation SET secrets_key_name = NULL');
    await expect(api({ SECRETS_KEY: SECOND! })).rejects.toThrow(WRONG);
    await expect(console({ SECRETS_KEY: SECOND! })).rejects.toThrow(WRONG);
    await expect(ingestor({ SECRETS_KEY: SECOND! })).rejects.toThrow(WRONG);
    expect(await nameInDatabase()).toBeNull();
    await api({ SECRETS_KEY: FIRST! });
    await ingestor({ SECRETS_KEY: SECOND!, SECRETS_KEY_OLD: FIRST! });
    expect(await nameInDatabase()).toBe(nameOfSecret(FIRST!));
  });

  it('may be missing until the database has used a key', async () => {
    await ingestor({ SECRETS_KEY: FIRST! });
    const { id } = await addGateway(db.database);
    await api({});
    await ingestor({});
    await db.query('UPDATE gateway SET credentials = $2 WHERE id = $1', [id, new SecretBox(FIRST!).seal('{}')]);
    await expect(api({})).rejects.toThrow('SECRETS_KEY is missing');
    await expect(ingestor({})).rejects.toThrow('SECRETS_KEY is missing');
  });

  it('can be replaced after its loss only with rekey --accept-loss', async () => {
    await ops({ SECRETS_KEY: FIRST! }, ...ADD, '--client', 'a');
    expect(await ops({ SECRETS_KEY: SECOND! }, 'rekey', '--accept-loss')).toMatchObject({
      exitCode: 1,
      value: { sealed: 0, error: 'no key opens the source of apimo/a: enter it again with "gateway set"' },
    });
    await api({ SECRETS_KEY: SECOND! });
  });
});
