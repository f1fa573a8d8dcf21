import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { logOptions } from '@passerelle/settings';
import pino from 'pino';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import { API_DOCUMENTS } from '../../support/api-documents';
import { PageSender } from '../../../apps/api/src/properties/page-sender';
import { PropertiesController } from '../../../apps/api/src/properties/properties.controller';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';
import { until } from '../../support/waiting';

/**
 * The guards and hooks that the fast lane bypasses. The lane does their work itself. When you add one, decide whether
 * the lane needs it.
 */
const BYPASSED = {
  /** `RememberedPages` and the lane check parameters, key and rate limit. */
  guards: ['PageGuard'],
  pipes: [],
  interceptors: [],
  /** Guards, pipes and interceptors of the whole application. */
  globals: [],
  hooks: {
    /**
     * `beginAnswer` refuses requests; the lane passes such requests to Nest. Nest's adapter does not use the other
     * four.
     */
    onRequest: ['beginAnswer', 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    /** Nest's hook for an option that is not set. */
    onResponse: ['anonymous'],
    /**
     * These hooks set the headers of every response, compress and answer 304. In the lane, the page sender does this.
     */
    onSend: ['setHeaders', 'toEncoded'],
  },
};

// Real: HTTP on bare sockets, PostgreSQL. Fake: the ingestor. Two applications over one database: with the lane and
// without it.
interface Way {
  app: NestFastifyApplication;
  lines: Record<string, unknown>[];
}

const OPS_TOKEN = 'the-token-of-the-operators';
const LISTINGS = 7;

interface Ways {
  api: ApiUnderTest;
  gateway: SeededGateway;
  fastPath: Way;
  controller: Way;
  close: () => Promise<void>;
}

async function startBoth(rateLimitPerMinute: number | null): Promise<Ways> {
  const linesTo = (lines: Record<string, unknown>[]) => ({
    write: (line: string): unknown => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const [ofFastPath, ofController]: Record<string, unknown>[][] = [[], []];
  const settings = { opsToken: OPS_TOKEN, rateLimitPerMinute };
  const api = await startApi(settings, { log: linesTo(ofFastPath ?? []), hasFastPath: true });
  const answers = linesTo(ofController ?? []);
  const app = await createApp({
    config: { ...parseConfig({ DATABASE_URL: api.testDatabase.urlOf('serve') }), ...settings },
    documents: API_DOCUMENTS,
    log: { logger: pino(logOptions('api', 'info'), answers), answers },
    hasFastPath: false,
  });
  await app.listen(0, '127.0.0.1');
  const gateway = await addGateway(api.database, { listings: someListings(LISTINGS, { texte: 'é'.repeat(500) }) });
  const close = async (): Promise<void> => {
    await app.close();
    await api.close();
  };
  return {
    api,
    gateway,
    fastPath: { app: api.app, lines: ofFastPath ?? [] },
    controller: { app, lines: ofController ?? [] },
    close,
  };
}

function portOf({ app }: Way): number {
  return (app.getHttpServer().address() as AddressInfo).port;
}

/** All bytes of the answer as text, with the time of day replaced. */
async function ask(way: Way, request: string): Promise<string> {
  const socket = connect(portOf(way), '127.0.0.1');
  socket.write(request, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  socket.destroy();
  return (
    Buffer.concat(chunks)
      .toString('latin1')
      .replace(/^date: [^\r]*/gim, 'Date: TIME')
      .replace(/"timestamp":"[^"]*"/g, '"timestamp":"TIME"')
      .replace(/ratelimit-reset: \d+/g, 'ratelimit-reset: N')
      // The count of one connection's requests depends on when their keys are known to be right.
      .replace(/ratelimit-remaining: \d+/g, 'ratelimit-remaining: N')
  );
}

interface Sent {
  path?: string;
  headers?: string;
  version?: string;
  method?: string;
}

const sent =
  ({ path = '', headers = '', version = '1.1', method = 'GET' }: Sent) =>
  ({ query, key }: SeededGateway): string =>
    `${method} /v1/properties?${query}${path} HTTP/${version}\r\nHost: x\r\nConnection: close\r\nX-Request-Id: same\r\n` +
    `${headers.includes('Key:') ? '' : `Key: ${key}\r\n`}${headers}\r\n`;

const REQUESTS: readonly (readonly [string, Sent])[] = [
  ['the first page', {}],
  ['a page in the middle', { path: '&per_page=2&page=2' }],
  ['the last page', { path: '&per_page=2&page=4' }],
  ['a page after the last', { path: '&per_page=2&page=9' }],
  ['the raw format', { path: '&format=raw' }],
  ['an unknown parameter', { path: '&nothing=1' }],
  ['an invalid parameter', { path: '&page=0' }],
  ['gzip', { headers: 'Accept-Encoding: gzip, br\r\n' }],
  ['a page of one listing with gzip', { path: '&per_page=1', headers: 'Accept-Encoding: gzip\r\n' }],
  ['gzip that the client refuses', { headers: 'Accept-Encoding: gzip;q=0\r\n' }],
  ['an unknown ETag', { headers: 'If-None-Match: "x"\r\n' }],
  ['any ETag', { headers: 'If-None-Match: *\r\n' }],
  ['any ETag with HEAD', { method: 'HEAD', headers: 'If-None-Match: *\r\n' }],
  ['a wrong Bearer token', { headers: 'Key: \r\nAuthorization: Bearer wrong\r\n' }],
  ['a wrong key', { headers: 'Key: wrong\r\n' }],
  ['an empty key', { headers: 'Key: \r\n' }],
  ['HTTP/1.0', { version: '1.0' }],
  ['HEAD', { method: 'HEAD' }],
  ['POST', { method: 'POST' }],
  ['two Host headers', { headers: 'Host: y\r\n' }],
  ['a body', { headers: 'Content-Length: 2\r\n\r\n{}' }],
  ['an empty body', { headers: 'Content-Length: 0\r\n' }],
  ['an unsupported Transfer-Encoding', { headers: 'Transfer-Encoding: gzip\r\n' }],
  ['an Expect header', { headers: 'Expect: 100-continue\r\n' }],
  ['a Range header', { headers: 'Range: bytes=0-1\r\n' }],
];

async function metricsOf(way: Way): Promise<Map<string, string>> {
  const headers = { authorization: `Bearer ${OPS_TOKEN}` };
  const text = await (await fetch(`http://127.0.0.1:${portOf(way)}/metrics`, { headers })).text();
  const lines = text.matchAll(/^(passerelle_api_(?:answers|pages|refused)_\S+|passerelle_\S+_count\S+) (\S+)$/gm);
  return new Map(
    [...lines].flatMap(([, name = '', value = '']) => (name.includes('/openapi.json') ? [] : [[name, value]])),
  );
}

/** Log lines of answers, without the duration and the time. */
function linesOf({ lines }: Way): object[] {
  return lines
    .filter(({ msg, path }) => msg === 'answered' && path === '/v1/properties')
    .map(({ ms, time, ...line }) => {
      expect([typeof ms, typeof time]).toEqual(['number', 'string']);
      return line;
    });
}

describe.each<[string, number | null]>([
  ['without a rate limit', null],
  ['with a rate limit', 1_000],
])('lane and controller, %s,', (_title, rateLimitPerMinute) => {
  let ways: Ways;
  const bothOf = async (request: string): Promise<[string, string]> =>
    Promise.all([ask(ways.fastPath, request), ask(ways.controller, request)]);
  beforeAll(async () => {
    ways = await startBoth(rateLimitPerMinute);
  });
  beforeEach(() => {
    for (const { lines } of [ways.fastPath, ways.controller]) lines.length = 0;
  });
  afterAll(() => ways.close());

  it.each(REQUESTS)('send the same bytes, log lines and counts: %s', async (_what, request) => {
    // The first request makes the page or reads it from its cache. After that, lane and guard remember the page.
    const answers: string[] = [];
    for (let round = 0; round < 3; round += 1) answers.push(...(await bothOf(sent(request)(ways.gateway))));
    expect(answers[0]).toMatch(/^HTTP\/1.1 \d/);
    expect(answers).toEqual(Array(6).fill(answers[0]));
    const both = [ways.fastPath, ways.controller];
    await until(() => Promise.resolve(both.every((way) => linesOf(way).length === 3)));
    expect(linesOf(ways.fastPath)).toEqual(linesOf(ways.controller));
    const [counts, others] = await Promise.all(both.map(metricsOf));
    expect(counts).toEqual(others);
  });

  it('answer separately: the lane without Nest, and the controller with Nest', async () => {
    const request = sent({ path: '&seldom=1' })(ways.gateway);
    await bothOf(request);
    const sends = [ways.fastPath, ways.controller].map(({ app }) => jest.spyOn(app.get(PageSender), 'answer'));
    await bothOf(request);
    expect(sends.map((send) => send.mock.calls.length)).toEqual([0, 1]);
  });

  it('send the same answers in a pipeline', async () => {
    const row = [1, 2, 3, 4, 2, 1]
      .map((page) => sent({ path: `&per_page=2&page=${page}` })(ways.gateway).replace('Connection: close\r\n', ''))
      .concat(sent({})(ways.gateway))
      .join('');
    for (let round = 0; round < 2; round += 1) {
      const [fastPath, controller] = await bothOf(row);
      expect(fastPath).toBe(controller);
      expect(fastPath.match(/HTTP\/1.1 200/g)).toHaveLength(7);
    }
  });
});

describe('rate limit', () => {
  it('applies in the fast lane', async () => {
    const { api, gateway, close } = await startBoth(4);
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await api.get(`/v1/properties?${gateway.query}`, gateway.headers));
    expect(answers.map(({ status, headers }) => [status, headers['ratelimit-remaining']])).toEqual([
      ...[3, 2, 1, 0].map((left) => [200, String(left)]),
      ...[0, 0].map((left) => [429, String(left)]),
    ]);
    await close();
  });
});

describe('reader that leaves', () => {
  it('is logged with the status aborted', async () => {
    const { api, gateway, fastPath, close } = await startBoth(null);
    await api.get(`/v1/properties?${gateway.query}`, gateway.headers);
    const asked = sent({})(gateway).replace('Connection: close\r\n', '');
    const socket = connect(portOf(fastPath), '127.0.0.1');
    await once(socket, 'connect');
    // The answers exceed the system's buffers while the reader does not read.
    socket.pause();
    socket.write(asked.repeat(2_000));
    await until(() => Promise.resolve(linesOf(fastPath).length > 1));
    socket.resetAndDestroy();
    await until(() => Promise.resolve(fastPath.lines.some(({ status }) => status === 'aborted')));
    expect(fastPath.lines.filter(({ level }) => level !== 30)).toEqual([]);
    await close();
  });
});

describe('fast lane', () => {
  it('bypasses only known guards and hooks', async () => {
    const api = await startApi();
    const { app } = api;
    const declared = (key: string): string[] =>
      [PropertiesController, Object.getOwnPropertyDescriptor(PropertiesController.prototype, 'list')?.value as object]
        .flatMap((target) => (Reflect.getMetadata(key, target) ?? []) as { name: string }[])
        .map(({ name }) => name);
    const config = app.get(ApplicationConfig);
    const globals = [config.getGlobalGuards(), config.getGlobalPipes(), config.getGlobalInterceptors()].flat();
    const printed = app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false, includeHooks: true });
    const ofPages = /\/properties \(GET\)\n((?:[^\n•]*•[^\n]*\n)*)/.exec(printed)?.[1] ?? '';
    const hooks = Object.fromEntries(
      [...ofPages.matchAll(/• \((\w+)\) (\[.*\])/g)].map(([, name = '', list = '[]']) => [
        name,
        (JSON.parse(list) as string[]).map((one) => one.replace(/\(\)$/, '')),
      ]),
    );
    await api.close();
    expect({
      guards: declared(GUARDS_METADATA),
      pipes: declared(PIPES_METADATA),
      interceptors: declared(INTERCEPTORS_METADATA),
      globals,
      hooks,
    }).toEqual(BYPASSED);
  });
});
