import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from '@swc/core';
import { addGateway, type ApiUnderTest, publishListings, type SeededGateway, startApi } from './api-under-test';
import { commandOnPath } from '../../support/command-on-path';

const run = promisify(execFile);
const LIST = (from: number, to: number, title = 'a') =>
  Array.from({ length: to - from }, (_, n) => ({ affId: `L ${from + n},%`, intitule: title }));

// Real: the loops of docs/syncing.md as they stand there, the API, PostgreSQL. Fake: the ingestor.
describe.each(['php', 'ts'] as const)('the %s loop of docs/syncing.md', (language) => {
  const test = language === 'ts' || commandOnPath('php') ? it : it.skip;
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let folder: string;
  let program: string;
  let shown: Set<string>;

  beforeAll(async () => {
    api = await startApi();
    folder = await mkdtemp(join(tmpdir(), 'syncing-'));
    const page = await readFile(join(__dirname, '../../../docs/syncing.md'), 'utf8');
    const [, code = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
    program = join(folder, language === 'php' ? 'sync.php' : 'sync.mjs');
    await writeFile(program, language === 'php' ? code : (await transform(code, SWC)).code);
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    gateway = await addGateway(api.database, { listings: LIST(0, 250) });
    shown = new Set();
  });

  /** One run of the loop: what it stores and removes is what the site shows. */
  async function sync(env: Record<string, string> = {}): Promise<string[]> {
    const { crm, client, key } = gateway;
    const file = join(folder, `${client}.json`);
    const { stdout } = await run(
      language === 'php' ? 'php' : process.execPath,
      [program, api.url, crm, client, key, file],
      {
        env: { ...process.env, ...env },
      },
    );
    const lines = stdout.split('\n').filter((line) => line !== '');
    for (const line of lines) {
      const [verb, ...rest] = line.split(' ');
      if (verb === 'store') shown.add(rest.join(' '));
      else expect(shown.delete(rest.join(' '))).toBe(true);
    }
    return lines;
  }

  async function publish(list: ReturnType<typeof LIST>): Promise<void> {
    await publishListings(api.database, gateway.id, list);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }

  test('brings a site to the list, and does nothing when nothing has changed', async () => {
    expect(await sync()).toHaveLength(250);
    expect(await sync()).toEqual([]);
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ status: 'success', count: 250, added: 250 });
    await publish([...LIST(5, 250), ...LIST(250, 252)]);
    const lines = await sync();
    expect(lines.filter((line) => line.startsWith('remove'))).toHaveLength(5);
    expect([...shown].sort()).toEqual(
      LIST(5, 252)
        .map(({ affId }) => affId)
        .sort(),
    );
  });

  test('goes on where a short limit stopped it, and removes nothing before it has seen everything', async () => {
    expect(await sync({ SECONDS: '0.000001' })).toHaveLength(100);
    await publish(LIST(200, 260));
    for (let slice = 0; slice < 5; slice += 1) await sync({ SECONDS: '0.000001' });
    expect([...shown].sort()).toEqual(
      LIST(200, 260)
        .map(({ affId }) => affId)
        .sort(),
    );
  });

  test('changes nothing when it is refused', async () => {
    await sync();
    const refused = { ...gateway, key: 'wrong' };
    const { crm, client } = gateway;
    const file = join(folder, `${client}.json`);
    const before = await readFile(file, 'utf8');
    const command = language === 'php' ? 'php' : process.execPath;
    await expect(run(command, [program, api.url, crm, client, refused.key, file])).rejects.toThrow('401');
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

const SWC = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } } as const;
