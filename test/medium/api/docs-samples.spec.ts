import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from '@swc/core';
import { callsOf, type DescribedCall, type Description } from '../../../tools/api-docs/page/description';
import { samplesOf } from '../../../tools/api-docs/page/samples';
import { openapi } from '../../../tools/api-docs/description/openapi';
import { operations } from '../../../tools/api-docs/description/operations';
import { PROPERTY_EXAMPLE } from '../../../tools/api-docs/description/property-schema';
import { commandOnPath } from '../../support/command-on-path';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';

const run = promisify(execFile);

// Real: the samples of the documentation as they stand there, the API, PostgreSQL. Fake: the ingestor.
describe('samples of the documentation', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let folder: string;

  beforeAll(async () => {
    // A webhook and a lead are sealed with it.
    api = await startApi({ secretsKey: 'a secrets key of at least 32 characters' });
    gateway = await addGateway(api.database, { listings: [{ affId: PROPERTY_EXAMPLE.affId }] });
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });

  /** One that a call may remove. @returns its id */
  async function aWebhook(): Promise<number> {
    const { id: gatewayId } = gateway;
    const url = 'https://agence.example/hook';
    const added = await api.database.webhookEndpoints.add({ gatewayId, url, events: [], secret: Buffer.alloc(1) });
    return added!.id;
  }

  /** Runs a sample as a reader of the page would. */
  const runners = {
    curl: async (text: string, env: NodeJS.ProcessEnv) => run('sh', ['-c', text], { env }),
    PHP: async (text: string, env: NodeJS.ProcessEnv) => {
      await writeFile(join(folder, 'sample.php'), text);
      return run('php', [join(folder, 'sample.php')], { env });
    },
    TypeScript: async (text: string, env: NodeJS.ProcessEnv) => {
      const { code } = await transform(text, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } });
      await writeFile(join(folder, 'sample.mjs'), code);
      return run(process.execPath, [join(folder, 'sample.mjs')], { env });
    },
  };

  describe.each([
    ['curl', 'curl'],
    ['PHP', 'php'],
    ['TypeScript', 'node'],
  ] as const)('in %s', (language, command) => {
    const test = commandOnPath(command) ? it : it.skip;

    test('get an answer from every call', async () => {
      const description = JSON.parse(JSON.stringify(openapi(api.url, operations(gateway)))) as Description;
      const token = (await api.get(`/v1/manifest?${gateway.query}`, gateway.headers)).headers['x-snapshot'] ?? '';
      const asked: string[] = [];
      for (const named of callsOf(description).filter(({ call }) => answersJson(call))) {
        const { text = '' } = samplesOf(api.url, named).find((sample) => sample.language === language) ?? {};
        const example = named.call.parameters?.find(({ name }) => name === 'since')?.example as string | undefined;
        const withToken = example === undefined ? text : text.replace(example, token);
        const known = withToken.replace('/v1/webhooks/3?', `/v1/webhooks/${await aWebhook()}?`);
        const { stdout } = await runners[language](known, { ...process.env, LISTINGS_KEY: gateway.key });
        const body = JSON.parse(stdout) as object;
        expect([named.path, Array.isArray(body) || 'openapi' in body || body]).toEqual([
          named.path,
          named.path === '/' || named.path === '/openapi.json' || expect.objectContaining({ status: 'success' }),
        ]);
        asked.push(named.path);
      }
      expect(asked).toEqual(expect.arrayContaining(['/v1/properties/{id}', '/v1/changes', '/v1/report', '/report']));
    });
  });
});

/** Photos and pages for people are told apart by what they answer with. */
function answersJson({ responses }: DescribedCall): boolean {
  return responses['200']?.content?.['application/json'] !== undefined;
}
