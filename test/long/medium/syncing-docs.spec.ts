import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey, hashApiKey } from '@passerelle/domain';
import { transform } from '@swc/core';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
} from '../../medium/api/api-under-test';
import { type ListedListing, PublishedLists } from '../../support/published-lists';
import { commandOnPath } from '../../support/command-on-path';
import {
  type MisbehavingProxy,
  type Mischief,
  type SeenRequest,
  startMisbehavingProxy,
} from '../../support/misbehaving-proxy';
import { untilServed } from '../../support/until-served';

const run = promisify(execFile);
const LIST = (from: number, to: number, title = 'a') =>
  Array.from({ length: to - from }, (_, n) => ({ affId: `L ${from + n},%`, intitule: title }));

const idsOf = (list: ReturnType<typeof LIST>): string[] => list.map(({ affId }) => affId);

// Real: the loops in docs/syncing.md exactly as printed, the API, PostgreSQL. Fake: the ingestor, and a proxy that
// sends false answers.
describe.each(['php', 'ts'] as const)('%s loop of docs/syncing.md', (language) => {
  const test = language === 'ts' || commandOnPath('php') ? it : it.skip;
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let folder: string;
  let program: string;
  let shown: Set<string>;

  beforeAll(async () => {
    api = await startApi();
    proxy = await startMisbehavingProxy(api.url);
    folder = await mkdtemp(join(tmpdir(), 'syncing-'));
    const page = await readFile(join(__dirname, '../../../docs/syncing.md'), 'utf8');
    const [, code = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
    program = join(folder, language === 'php' ? 'sync.php' : 'sync.mjs');
    const fragile = code
      .replace("console.log('store ' + property.affId);", "$& if (process.env['CRASH']) process.exit(9);")
      .replace(`echo "store {$property['affId']}\\n";`, "$& if (getenv('CRASH')) exit(9);");
    // The loop waits 20 s for an answer. A slow machine may need longer, so the test raises the limit.
    const patient = fragile
      .replace('AbortSignal.timeout(20_000)', 'AbortSignal.timeout(200_000)')
      .replace('CURLOPT_TIMEOUT => 20', '$&0');
    expect(fragile).not.toBe(code);
    expect(patient).not.toBe(fragile);
    await writeFile(program, language === 'php' ? patient : (await transform(patient, SWC)).code);
  });
  afterAll(async () => {
    await proxy.close();
    await api.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    gateway = await addGateway(api.database, { listings: LIST(0, 250) });
    shown = new Set();
  });

  /** Runs the loop once, and updates `shown`, the listings of the site, from its output. */
  async function sync(env: Record<string, string> = {}, base = api.url): Promise<string[]> {
    const { crm, client, key } = gateway;
    const file = join(folder, `${client}.json`);
    const command = language === 'php' ? 'php' : process.execPath;
    // The loop normally stops after 20 s and continues in the next run. More time prevents a failure on a slow machine.
    const options = { env: { ...process.env, SECONDS: '600', ...env } };
    let failure: unknown = null;
    const { stdout } = await run(command, [program, base, crm, client, key, file], options).catch((error: unknown) => {
      failure = error;
      return error as { stdout: string };
    });
    const lines = stdout.split('\n').filter((line) => line !== '');
    for (const line of lines) {
      const [verb, ...rest] = line.split(' ');
      if (verb === 'store') shown.add(rest.join(' '));
      else shown.delete(rest.join(' '));
    }
    // Apply the lines that the loop printed, even if the loop fails later.
    if (failure !== null && env['CRASH'] === undefined) throw failure as Error;
    return lines;
  }

  async function publish(list: ReturnType<typeof LIST>): Promise<void> {
    await publishListings(api.database, gateway.id, list);
    await heard();
  }

  function heard(): Promise<void> {
    return untilServed(api.testDatabase, gateway, [api.url]);
  }

  test('updates a site to the current list, and does nothing when the list has not changed', async () => {
    expect(await sync()).toHaveLength(250);
    expect(await sync()).toEqual([]);
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ status: 'success', count: 250, added: 250 });
    await publish([...LIST(5, 250), ...LIST(250, 252)]);
    const lines = await sync();
    expect(lines.filter((line) => line.startsWith('remove'))).toHaveLength(5);
    expect(lines.filter((line) => line.startsWith('store'))).toHaveLength(2);
    expect(shown).toEqual(new Set(idsOf(LIST(5, 252))));
  });

  test('continues where a time limit stopped it, and removes nothing before it has read the whole list', async () => {
    expect(await sync({ SECONDS: '0.000001' })).toHaveLength(100);
    await publish(LIST(200, 260));
    for (let slice = 0; slice < 5; slice += 1) await sync({ SECONDS: '0.000001', CONFIRM_REMOVAL: '100' });
    expect(shown).toEqual(new Set(idsOf(LIST(200, 260))));
  });

  test('keeps the changes that it stored before a kill', async () => {
    expect(await sync({ CRASH: '1' })).toHaveLength(1);
    await publish(LIST(1, 250));
    await sync();
    expect(shown).toEqual(new Set(idsOf(LIST(1, 250))));
    await publish([...LIST(1, 250), ...LIST(300, 303)]);
    // The loop is killed while it applies changes. Then the listing that the loop stored is removed from the list.
    expect(await sync({ CRASH: '1' })).toEqual(['store L 300,%']);
    await publish(LIST(1, 250));
    await sync();
    expect(shown).toEqual(new Set(idsOf(LIST(1, 250))));
  });

  test('reads the manifest again when its token has expired, or when there are many changes', async () => {
    await sync();
    await publish(LIST(2, 252));
    await api.testDatabase.query(
      'UPDATE snapshot SET token = token || $2 WHERE gateway_id = $1 AND published_at < (SELECT max(published_at) FROM snapshot WHERE gateway_id = $1)',
      [gateway.id, 'x'],
    );
    expect(await sync()).toHaveLength(4);
    await publish(LIST(2, 252, 'another title'));
    expect(await sync()).toHaveLength(250);
    expect(await sync()).toEqual([]);
  });

  test('needs one request without a body when nothing has changed, and 10 KB for three changes in a list of 1,500', async () => {
    const key = generateApiKey();
    const hash = hashApiKey(key, await api.database.installation.keyPepper());
    const client = `large-${language}`;
    const lists = await PublishedLists.of(api.database, client, hash);
    gateway = { ...gateway, id: lists.gatewayId, client, key };
    const large = Array.from({ length: 1_500 }, (_, n) => aLongListing(n, 'a'));
    await lists.publish(large);
    const traffic = watch(api.app.getHttpServer());
    expect(await sync()).toHaveLength(1_500);

    traffic.forget();
    expect(await sync()).toEqual([]);
    expect([traffic.requests, traffic.bytes() < 1_000]).toEqual([['HEAD /v1/manifest'], true]);

    const changed = large.slice(1).map((listing) => (listing.affId === 'L7' ? aLongListing(7, 'b') : listing));
    await lists.publish([...changed, aLongListing(1_500, 'a')]);
    await heard();
    traffic.forget();
    expect((await sync()).sort()).toEqual(['remove L0', 'store L1500', 'store L7']);
    expect(traffic.requests).toEqual(['HEAD /v1/manifest', 'GET /v1/changes', 'POST /v1/report']);
    expect(traffic.bytes()).toBeLessThan(10_240);
  });

  /** Runs the loop with a proxy that sends false answers. The run may fail. */
  async function syncWithLiar(lie: (request: SeenRequest) => Mischief | Promise<Mischief>): Promise<void> {
    proxy.mischief = lie;
    await sync({}, proxy.url).catch((error: unknown) => {
      expect(String(error)).toMatch(/incomplete|missing/);
    });
  }

  if (language === 'ts' || commandOnPath('php')) {
    it.each<[string, (changes: Answered) => object]>([
      [
        'no changes and a total of 0',
        (changes) => ({ ...changes, data: [], meta: { ...changes.meta, total: 0, total_pages: 0 } }),
      ],
      ['no changes, but the correct total', (changes) => ({ ...changes, data: [] })],
      ['no changes and no total', ({ status }) => ({ status, data: [] })],
      ['only some of the changes', (changes) => ({ ...changes, data: changes.data.slice(1) })],
      [
        'the first change instead of each other change',
        (changes) => ({ ...changes, data: changes.data.map(() => changes.data[0]) }),
      ],
      ['changes up to another snapshot', (changes) => ({ ...changes, meta: { ...changes.meta, snapshot: 'other' } })],
      ['no list of changes', ({ status, meta }) => ({ status, meta })],
    ])(
      'shows the correct list again after a server sent false changes, without a wrong removal meanwhile: %s',
      async (_lie, spoil) => {
        await sync();
        await publish([...LIST(3, 250), ...LIST(250, 252)]);
        await syncWithLiar(async ({ path, query, headers }) => {
          if (path !== '/v1/changes') return 'pass';
          const honest = await fetch(`${api.url}${path}?${query.toString()}`, {
            headers: { key: String(headers['key']) },
          });
          return { status: 200, body: JSON.stringify(spoil((await honest.json()) as Answered)) };
        });
        expect(idsOf(LIST(3, 250)).filter((affId) => !shown.has(affId))).toEqual([]);
        await sync();
        expect(shown).toEqual(new Set(idsOf(LIST(3, 252))));
      },
    );

    it('holds back a mass removal although its proof is correct, until the gateway approves the removal or a person confirms it', async () => {
      await sync();
      const meta = { total: 0, snapshot: 'x', hash: createHash('sha256').digest('hex') };
      proxy.mischief = ({ path, method }) =>
        path === '/v1/manifest' && method === 'GET'
          ? { status: 200, body: JSON.stringify({ status: 'success', data: [], meta }) }
          : path === '/v1/changes'
            ? { status: 400, body: '{"status":"error","detail":{"reason":"expired"}}' }
            : 'pass';
      await publish(LIST(0, 251));
      await expect(sync({}, proxy.url)).rejects.toThrow('held: 250 of 250 listings would be removed');
      await sync();
      await publish(LIST(60, 260));
      await expect(sync()).rejects.toThrow('held: 60 of 251 listings would be removed');
      await expect(sync({ CONFIRM_REMOVAL: '59' })).rejects.toThrow('held');
      expect(shown).toEqual(new Set(idsOf(LIST(0, 251))));
      await sync({ CONFIRM_REMOVAL: '60' });
      expect(shown).toEqual(new Set(idsOf(LIST(60, 260))));
      await publish(LIST(120, 260));
      proxy.mischief = async ({ path, query, headers }) => {
        if (path !== '/v1/changes') return 'pass';
        const honest = await fetch(`${api.url}${path}?${query.toString()}`, {
          headers: { key: String(headers['key']) },
        });
        const { data, ...rest } = (await honest.json()) as { data: object[] };
        return {
          status: 200,
          body: JSON.stringify({ ...rest, data: data.map((one) => ({ ...one, approved: true })) }),
        };
      };
      await sync({}, proxy.url);
      expect(shown).toEqual(new Set(idsOf(LIST(120, 260))));
    });

    it('shows the correct list again after a server sent other properties than requested', async () => {
      await syncWithLiar(async ({ path, query, headers }) => {
        if (path !== '/v1/properties' || !(query.get('ids') ?? '').includes('150')) return 'pass';
        query.set('ids', idsOf(LIST(0, 100)).map(encodeURIComponent).join());
        const others = await fetch(`${api.url}${path}?${query.toString()}`, {
          headers: { key: String(headers['key']) },
        });
        return { status: 200, body: await others.text() };
      });
      await sync();
      expect(shown).toEqual(new Set(idsOf(LIST(0, 250))));
    });

    it.each<[string, object]>([
      ['without lines, but with the total of the list', { data: [], meta: { total: 250 } }],
      ['without lines and with a total of 0', { data: [], meta: { total: 0 } }],
      ['without lines and without a total', {}],
    ])('removes nothing when a server sends a manifest %s', async (_lie, body) => {
      await sync();
      await publish(LIST(3, 250));
      await syncWithLiar(({ path, method }) =>
        path === '/v1/changes'
          ? { status: 400, body: '{"status":"error","detail":{"reason":"expired"}}' }
          : path === '/v1/manifest' && method === 'GET'
            ? { status: 200, body: JSON.stringify({ status: 'success', ...body }) }
            : 'pass',
      );
      expect(shown).toEqual(new Set(idsOf(LIST(0, 250))));
      await sync();
      expect(shown).toEqual(new Set(idsOf(LIST(3, 250))));
    });
  }

  test('changes nothing when the API rejects its key', async () => {
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

/** An answer with a list, which a test then falsifies. */
interface Answered {
  status: string;
  data: unknown[];
  meta: object;
}

const SWC = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } } as const;

/** A listing of 2.5 KB that does not compress well. */
function aLongListing(n: number, version: string): ListedListing {
  const words = Array.from({ length: 38 }, (_, at) =>
    createHash('sha256').update(`${n} ${version} ${at}`).digest('hex'),
  );
  return { affId: `L${n}`, intitule: words.join(' ') };
}

/** Records the traffic of a server: the requests, and the bytes of the answers with their headers. */
function watch(server: Server): { requests: string[]; bytes: () => number; forget: () => void } {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  server.on('request', ({ method, url, socket }: IncomingMessage) => {
    requests.push(`${method} ${url?.split('?')[0]}`);
    sockets.add(socket);
  });
  return {
    requests,
    bytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    forget: () => {
      requests.length = 0;
      sockets.clear();
    },
  };
}
