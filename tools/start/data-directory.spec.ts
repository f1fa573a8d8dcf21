import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from './data-directory';

// Real: the file system.
describe('loadSecrets', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('generates the secrets at the first start and keeps them', async () => {
    const secrets = await loadSecrets(folder);
    expect(Object.values(secrets).every((secret) => secret.length >= 32)).toBe(true);
    expect(await loadSecrets(folder)).toEqual(secrets);
  });

  it('adds the console secret to the secrets of an earlier release, and keeps all of them', async () => {
    const path = join(folder, 'secrets.json');
    const stored = { secretsKey: 'k'.repeat(43), opsToken: 'token', databasePassword: 'password' };
    await writeFile(path, JSON.stringify(stored));
    const secrets = await loadSecrets(folder);
    expect(secrets).toEqual({ ...stored, consoleSecret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await loadSecrets(folder)).toEqual(secrets);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(secrets);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('refuses damaged secrets', async () => {
    await writeFile(join(folder, 'secrets.json'), JSON.stringify({ secretsKey: 'k', consoleSecret: 1 }));
    await expect(loadSecrets(folder)).rejects.toThrow('is damaged: "consoleSecret" is missing');
  });
});
