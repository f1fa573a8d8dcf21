import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashApiKey, type RunView } from '@passerelle/domain';
import { everythingInDatabase, everythingInRedis } from '../../support/everything-stored';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { aKyeroFeed, aProperty } from '../../support/kyero-feed';
import { type Product, startProduct } from '../../support/product';
import { testRedisUrl } from '../../support/test-redis';

// Real: both processes as built, the command line, PostgreSQL with its roles, the queue. Fake: the CRM.

/** Values that are unique, so that a search finds them in any text. */
const CANARIES = {
  apiKey: 'canary-api-key-4f1d8a7b6c5e',
  otherKey: 'canary-other-key-9b2e7d1f3a',
  wrongKey: 'canary-wrong-key-1c9a4e7b2d',
  user: 'canary-user',
  password: 'canary-password-7d3f',
  query: 'canary-query-2b8c',
  path: 'canary-path-secret',
  clientId: 'canary-client-id',
  clientSecret: 'canary-client-secret-6e1a',
  tokenPath: 'canary-token-path',
  accessToken: 'canary-access-token-5c0d',
  exportToken: 'psx_canary-export-token-7a2c9e',
  callToken: 'psc_canary-call-token-1b8d3f',
  photo: 'canary-photo-5e1b9d7c',
};
const QUEUES = [
  { queue: 'PostgreSQL', redisUrl: null, isThere: true },
  { queue: 'Redis', redisUrl: testRedisUrl(), isThere: testRedisUrl() !== null },
];

describe.each(QUEUES)('no secret is stored, logged or returned, with the queue in $queue,', ({ redisUrl, isThere }) => {
  const itOrSkip = isThere ? it : it.skip;
  const folder = mkdtempSync(join(tmpdir(), 'canaries-'));
  let crm: FeedServer;
  let product: Product;
  /** The texts in which a secret might appear, by name. */
  const places: Record<string, string> = {};

  beforeAll(async () => {
    if (!isThere) return;
    crm = await startFeedServer();
    const simulator = { host: crm.hostAndPort, sources: { apimo: '', kyero: '', poliris: '' } };
    product = await startProduct({ simulator, redisUrl, settings: { LOG_LEVEL: 'trace' } });
    await live();
    places['the database'] = await everythingInDatabase(product.db);
    places['Redis'] = redisUrl === null ? '' : await everythingInRedis(redisUrl);
    places['the log of the API'] = product.api().output();
    places['the log of the ingestor'] = product.ingestor().output();
  }, 900_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    if (!isThere) return;
    await product.stop();
    await crm.close();
  });

  const note = (place: string, text: string): void => {
    places[place] = `${places[place] ?? ''}\n${text}`;
  };

  async function ops(...argv: string[]): Promise<string> {
    const { stdout, stderr } = await product.tryOps(...argv);
    note('what the command line prints', stdout + stderr);
    return stdout;
  }

  async function ask(url: string, headers: Record<string, string> = {}, body?: object): Promise<void> {
    const response = await fetch(url, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const place = url.startsWith(product.apiUrl) ? 'what the API answers' : 'what the ops port answers';
    note(
      place,
      // The path of a webhook URL or photo URL is itself a secret.
      `${response.status} ${url.replace(/\?.*|(?<=\/(?:in|media)\/).*/, '')}\n${JSON.stringify([...response.headers])}\n${await response.text()}`,
    );
  }

  /** The life of a gateway, with all kinds of failures. */
  async function live(): Promise<void> {
    const { user, password, query, path } = CANARIES;
    const address = `http://${user}:${password}@${crm.hostAndPort}/export/${path}/feed.xml?token=${query}`;
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    const kyero = ['--crm', 'kyero', '--client', 'canary-agency'];
    const reso = ['--crm', 'reso', '--client', 'canary-agency'];
    // Do not record commands that print the key, because this is their task.
    const added = ['--source-file', file('source', address), '--key-file', file('key', CANARIES.apiKey)];
    await product.ops('gateway', 'add', ...kyero, ...added);
    await product.ops('gateway', 'rotate-key', ...kyero, '--key-file', file('other', CANARIES.otherKey));
    await product.ops(
      ...['gateway', 'add', ...reso, '--source', `http://${crm.hostAndPort}/odata/${path}/Property`],
      ...['--set', `token-url=http://${crm.hostAndPort}/${CANARIES.tokenPath}/token`],
      ...['--credential', `client-id=${CANARIES.clientId}`],
      ...['--credential-file', `client-secret=${file('secret', CANARIES.clientSecret)}`],
    );

    const { accessToken } = CANARIES;
    const feed = aKyeroFeed([aProperty('1'), aProperty('2'), aProperty('3', { price: 'on request' }), '<property/>']);
    const runs: number[] = [];
    const answers: FeedServer['answer'][] = [
      ({ url = '' }) => ({ body: url.includes('/token') ? JSON.stringify({ access_token: accessToken }) : feed }),
      { status: 401, body: 'no' },
      { status: 503, body: 'later' },
      { status: 404 },
      { status: 302, headers: { location: `/elsewhere/${path}/${query}` } },
      { status: 302, headers: { location: `http://10.0.0.1/${path}?token=${query}` } },
      { body: '<html>sorry</html>' },
      ({ url = '' }) => (url.includes('/token') ? { body: '{}' } : { body: feed.slice(0, -30) }),
    ];
    for (const answer of answers) {
      crm.answer = answer;
      for (const name of [kyero, reso]) {
        const run = JSON.parse(await ops('ingest', ...name, '--wait')) as RunView;
        runs.push(run.id);
      }
    }
    await ops('ingest', ...kyero, '--dry-run');
    // Commands that only read the database do not depend on the queue, so the test runs most of them for one queue
    // only.
    const looked = redisUrl === null ? runs : runs.slice(2, 4);
    for (const run of looked)
      for (const words of [
        ['run', 'show', String(run)],
        ['rejections', '--run', String(run)],
      ])
        await ops(...words);
    for (const name of redisUrl === null ? [kyero, reso] : []) {
      await ops('gateway', 'show', ...name);
      for (const id of ['1', '4', 'nothing']) await ops('why', ...name, '--id', id);
    }
    await ops('gateway', 'list');
    await ops('runs');
    await ops('gateway', 'set', ...kyero, '--set', 'max-fill-drop=0.3');
    await ops(
      'gateway',
      'add',
      ...kyero,
      '--source',
      address,
      '--key',
      CANARIES.apiKey,
      '--credential',
      `passwort=${password}`,
    );
    await ops('rekey');

    await read();
  }

  /** Sends the requests of a plugin, of a wrongly configured plugin, and of an operator. */
  async function read(): Promise<void> {
    const { apiUrl, opsUrl, secrets } = product;
    const gateway = 'crm=kyero&client=canary-agency';
    const paths = [
      ...[
        '/v1/properties?',
        '/v1/properties/1?',
        '/v1/properties/1/history?',
        '/v1/status?',
        '/v1/feed?',
        '/v1/manifest?',
      ],
      ...['/v1/changes?since=unknown&', '/v1/connectors?', '/?', '/v1/nothing?'],
    ];
    for (const key of [CANARIES.apiKey, CANARIES.otherKey, CANARIES.wrongKey]) {
      for (const path of paths) await ask(`${apiUrl}${path}${gateway}`, { key });
      await ask(`${apiUrl}/v1/properties?${gateway}&key=${key}`);
      await ask(`${apiUrl}/v1/properties?${gateway}`, { authorization: `Bearer ${key}` });
      await ask(`${apiUrl}/v1/report`, {}, { crm: 'kyero', client: 'canary-agency', key, status: 'success', count: 2 });
      await ask(`${apiUrl}/report`, { 'x-listings-key': key }, { crm: 'kyero', client: 'canary-agency', status: 'ok' });
    }
    await ask(`${apiUrl}/v1/feed?crm=reso&client=canary-agency`, { key: CANARIES.apiKey });
    await ask(`${apiUrl}/v1/export/kyero.xml?token=${CANARIES.exportToken}`);
    await ask(`${apiUrl}/in/${CANARIES.callToken}`, {}, { id: 1 });
    await ask(`${apiUrl}/media/${CANARIES.photo}`);
    const bearer = { authorization: `Bearer ${secrets.opsToken}` };
    for (const path of ['/openapi.json', '/docs', '/v1', '/health/ready', '/metrics']) await ask(apiUrl + path, bearer);
    const board = ['/queues', '/queues/api/queues?activeQueue=ingest&status=latest&page=1&jobsPerPage=50'];
    for (const path of ['/health/ready', '/metrics', ...board]) await ask(opsUrl + path, bearer);
    await ask(`${opsUrl}/ingest`, bearer, { crm: 'kyero', client: 'canary-agency' });
    await ask(`${opsUrl}/ingest`, { authorization: `Bearer ${CANARIES.wrongKey}` }, { all: true });
  }

  const secrets = (): [name: string, secret: string][] => {
    const password = new URL(product.db.urlOf('serve')).password;
    return [
      ...Object.entries(CANARIES),
      ['SECRETS_KEY', product.secrets.secretsKey],
      ['OPS_TOKEN', product.secrets.opsToken],
      ["the roles' password", password],
      ["the owner's password", new URL(product.db.url).password],
    ];
  };

  itOrSkip('in plain text or encoded', () => {
    const found: string[] = [];
    for (const [name, secret] of secrets()) {
      const bytes = Buffer.from(secret);
      const forms = [
        secret,
        encodeURIComponent(secret),
        bytes.toString('hex'),
        bytes.toString('base64').replaceAll('=', ''),
      ];
      for (const [place, text] of Object.entries(places)) {
        if (forms.some((form) => text.includes(form))) found.push(`${name} in ${place}`);
      }
    }
    expect(found).toEqual([]);
  });

  itOrSkip('as a hash that can be computed from a copy of the database', async () => {
    const pepper = await product.db.database.installation.keyPepper();
    const digest = (algorithm: string, key: string): Buffer => createHash(algorithm).update(key).digest();
    for (const key of [CANARIES.apiKey, CANARIES.otherKey]) {
      for (const hash of [digest('sha256', key), digest('md5', key), digest('sha1', key), hashApiKey(key, pepper)]) {
        expect(places['the database']).not.toContain(hash.toString('hex'));
      }
    }
  });

  itOrSkip('while each checked output contains other data', () => {
    expect(places['the database']).toContain('canary-agency');
    expect(places['the database']).toMatch(/http:\/\/\*\*\*@127\.0\.0\.1:\d+\/export\/\*\*\*\/feed\.xml\?token=\*\*\*/);
    expect(places['the log of the API']).toContain('canary-agency');
    expect(places['the log of the ingestor']).toContain('canary-agency');
    expect(places['what the command line prints']).toMatch(/\/export\/\*\*\*\/feed\.xml\?token=\*\*\* answered 401/);
    expect(places['what the API answers']).toContain('passerelle_api_answers_total');
    expect(places['what the API answers']).toContain('"affId":"1"');
    expect(places['what the ops port answers']).toContain('passerelle_runs_total');
    expect(places['what the ops port answers']).toMatch(/200 http:\S+\/queues\/api\/queues/);
    if (redisUrl !== null) expect(places['Redis']).toMatch(/ingest/);
  });
});
