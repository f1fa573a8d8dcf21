import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from '@swc/core';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { commandOnPath } from '../../support/command-on-path';

const run = promisify(execFile);
const LISTINGS = Array.from({ length: 250 }, (_, n) => ({ affId: `L ${String(n)},%`, intitule: `Titre ${String(n)}` }));

// Real: the programs in docs/api.md exactly as printed, the API, PostgreSQL. Fake: the ingestor.
describe('the first sync of docs/api.md', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let folder: string;

  beforeAll(async () => {
    api = await startApi();
    gateway = await addGateway(api.database, { listings: LISTINGS });
    folder = await mkdtemp(join(tmpdir(), 'first-sync-'));
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });

  async function codeOf(language: string): Promise<string> {
    const page = await readFile(join(__dirname, '../../../docs/api.md'), 'utf8');
    const [, code = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
    expect(code).not.toBe('');
    return code;
  }

  async function outputOf(command: string, file: string, code: string): Promise<string[]> {
    await writeFile(join(folder, file), code);
    const { stdout } = await run(command, [file, api.url, gateway.crm, gateway.client, gateway.key], { cwd: folder });
    return stdout.trimEnd().split('\n');
  }

  const expected = [
    ...LISTINGS.map(({ affId, intitule }) => `${affId} ${intitule}`),
    expect.stringMatching(/^250 listings of snapshot [\w-]+$/) as string,
  ];

  (commandOnPath('php') ? it : it.skip)('in PHP prints every listing', async () => {
    expect(await outputOf('php', 'first-sync.php', await codeOf('php'))).toEqual(expected);
  });

  it('in TypeScript prints every listing', async () => {
    const { code } = await transform(await codeOf('ts'), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    });
    expect(await outputOf(process.execPath, 'first-sync.mjs', code)).toEqual(expected);
  });

  (commandOnPath('curl') ? it : it.skip)('with curl stores every page, and gets 304 when it asks again', async () => {
    expect(await outputOf('sh', 'first-sync.sh', await codeOf('sh'))).toEqual([
      expect.stringMatching(/^250 listings of snapshot [\w-]+$/),
      'again: 304',
    ]);
    const pages = await Promise.all([1, 2].map((page) => readFile(join(folder, `page-${String(page)}.json`), 'utf8')));
    const listings = pages.flatMap((page) => (JSON.parse(page) as { data: { affId: string }[] }).data);
    expect(listings.map(({ affId }) => affId)).toEqual(LISTINGS.map(({ affId }) => affId));
  });
});
