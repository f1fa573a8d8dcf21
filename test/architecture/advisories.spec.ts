import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'tools', 'advisories.mjs');

/** Output and exit code of the script. Real: npm. Fake: the registry, which gives this answer. */
async function run(answer: RequestListener): Promise<{ code: number; said: string }> {
  const registry = createServer(answer).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${String(port)}/` };
  const result = await new Promise<{ code: number; said: string }>((resolve) => {
    const child = execFile(process.execPath, [SCRIPT], { env }, (_error, said) => {
      resolve({ code: child.exitCode ?? -1, said });
    });
  });
  registry.closeAllConnections();
  registry.close();
  return result;
}

/** Plays the bulk endpoint that npm requests. */
const listOf =
  (advisories: object): RequestListener =>
  (request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST' && request.url?.endsWith('/advisories/bulk') === true) {
      response.end(JSON.stringify(advisories));
      return;
    }
    response.writeHead(404).end('{}');
  };

describe('tools/advisories.mjs', () => {
  it('fails and names the advisory when a package of the image has one', async () => {
    const advisory = {
      ...{ id: 1, url: 'https://advisories.example/1', title: 'It leaks', severity: 'high' },
      vulnerable_versions: '<999.0.0',
      ...{ cwe: [], cvss: { score: 0, vectorString: null } },
    };
    const { code, said } = await run(listOf({ pg: [advisory] }));
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('advisory: pg, high: It leaks') });
  });

  it('passes when no package has an advisory', async () => {
    expect(await run(listOf({}))).toEqual({ code: 0, said: 'advisories: none\n' });
  });

  it('passes with a message when the registry has no list of advisories', async () => {
    const none = await run((request, response) => {
      request.resume();
      response.writeHead(404).end('{}');
    });
    expect(none).toEqual({ code: 0, said: 'advisories: could not be read\n' });
  });
});
