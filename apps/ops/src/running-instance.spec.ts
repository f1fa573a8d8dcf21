import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refused } from '@passerelle/operations';
import { locateInstance } from './running-instance';

const RUNNING = { pid: process.pid, databaseUrl: 'postgres://embedded/db', secretsKey: 'k'.repeat(32), opsToken: 'x' };

describe('locateInstance', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'passerelle-ops-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  const write = async (content: string): Promise<void> => writeFile(join(directory, 'instance.json'), content);

  it('returns the running instance', async () => {
    await write(JSON.stringify(RUNNING));
    expect(await locateInstance({ DATA_DIR: directory })).toEqual({
      databaseUrl: RUNNING.databaseUrl,
      secretsKey: RUNNING.secretsKey,
      secretsKeyOld: null,
      everySeconds: 3000,
      ttlSeconds: 3600,
      user: null,
    });
  });

  it("prefers DATABASE_URL, and uses the running instance's SECRETS_KEY only for that instance's database", async () => {
    await write(JSON.stringify(RUNNING));
    const env = { DATA_DIR: directory, DATABASE_URL: 'postgres://other/db' };
    expect(await locateInstance(env)).toEqual({
      databaseUrl: 'postgres://other/db',
      secretsKey: undefined,
      secretsKeyOld: null,
      everySeconds: 3000,
      ttlSeconds: 3600,
      user: null,
    });
    const secretsKey = 'm'.repeat(32);
    expect(await locateInstance({ ...env, SECRETS_KEY: secretsKey })).toEqual({
      databaseUrl: 'postgres://other/db',
      secretsKey,
      secretsKeyOld: null,
      everySeconds: 3000,
      ttlSeconds: 3600,
      user: null,
    });
    expect(await locateInstance({ ...env, DATABASE_URL: RUNNING.databaseUrl })).toEqual({
      databaseUrl: RUNNING.databaseUrl,
      secretsKey: RUNNING.secretsKey,
      secretsKeyOld: null,
      everySeconds: 3000,
      ttlSeconds: 3600,
      user: null,
    });
  });

  it.each([
    ['is missing', null],
    ['names a process that has ended', { ...RUNNING, pid: spawnSync(process.execPath, ['-e', '']).pid }],
    ['is not valid JSON', '{"pid":'],
    ['contains a JSON list', []],
  ])('finds no instance when the instance file %s', async (_name, content) => {
    if (content !== null) await write(typeof content === 'string' ? content : JSON.stringify(content));
    await expect(locateInstance({ DATA_DIR: directory })).rejects.toThrow(
      new Refused(`nothing runs in ${directory}: start it with npm start, or set DATABASE_URL`),
    );
  });
});
