import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { SourceRequest } from '../../../kit/contracts';
import type { OutboundPolicy } from '../../contracts';
import { OutboundSession, type Answer } from './outbound-session';
import { SpoolBudget } from '../spool-budget';
import type { Conditions } from './redirects';

/** A local source; each test sets how it misbehaves. */
let server: Server;
let origin: string;
let port: number;
let answer: RequestListener;
let session: OutboundSession | undefined;
const abort = { controller: new AbortController() };

beforeAll(async () => {
  server = createServer((request, response) => {
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  origin = `http://127.0.0.1:${port}`;
});

beforeEach(() => {
  abort.controller = new AbortController();
});

afterEach(async () => {
  await session?.close();
  session = undefined;
  server.closeAllConnections();
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function aSession(policy: Partial<OutboundPolicy> = {}): OutboundSession {
  session = new OutboundSession(
    {
      allowPrivate: new Set([`127.0.0.1:${port}`]),
      inboxDir: '/nowhere',
      maxBytes: 100_000_000,
      timeoutMs: 5000,
      idleTimeoutMs: 2000,
      ...policy,
    },
    abort.controller.signal,
    ['secret'],
  );
  return session;
}

async function ask(
  request: Partial<SourceRequest> = {},
  policy: Partial<OutboundPolicy> = {},
  conditions: Conditions = {},
): Promise<Answer> {
  return await aSession(policy).request({ url: `${origin}/feed`, ...request }, conditions);
}

async function textOf(given: Answer): Promise<string> {
  if (given.kind !== 'document') throw new Error('not modified');
  const chunks: Buffer[] = [];
  for await (const chunk of given.spool.open()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe('a request to a source', () => {
  it('returns the body, its fingerprint and its cache headers', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'last-modified': 'Wed, 01 May 2024 10:00:00 GMT' }).end('hello');
    };
    const given = await ask();
    expect(given).toMatchObject({
      kind: 'document',
      etag: '"v1"',
      lastModified: 'Wed, 01 May 2024 10:00:00 GMT',
      spool: { sizeBytes: 5, fingerprint: 'b5e9c1ad071b3e7fc779cfaa5e523818' },
    });
    expect(await textOf(given)).toBe('hello');
    expect(await textOf(given)).toBe('hello');
  });

  it('is charged to each host that it is redirected to, and may wait for a slot longer than its timeout', async () => {
    const elsewhere = `localhost:${port}`;
    const charged: string[] = [];
    answer = (request, response) => {
      if (request.headers.host === elsewhere) response.end('hello');
      else response.writeHead(302, { location: `http://${elsewhere}/feed` }).end();
    };
    const given = await ask(
      {},
      {
        allowPrivate: new Set([`127.0.0.1:${port}`, elsewhere]),
        idleTimeoutMs: 1000,
        timeoutMs: 1500,
        admit: async (host) => {
          charged.push(host);
          await sleep(charged.length === 2 ? 1600 : 0);
          return undefined;
        },
      },
    );
    expect(await textOf(given)).toBe('hello');
    expect(charged).toEqual([`127.0.0.1:${port}`, elsewhere]);
  });

  it('fails when it is redirected to a host that must not be requested', async () => {
    const refusal = new RetryLater('the requests of today are used up', 60_000);
    answer = (_request, response) => {
      response.writeHead(302, { location: `http://localhost:${port}/feed` }).end();
    };
    const admit = (host: string): Promise<undefined> =>
      host.startsWith('localhost') ? Promise.reject(refusal) : Promise.resolve(undefined);
    await expect(ask({}, { admit })).rejects.toBe(refusal);
  });

  it('holds one slot at a time across redirects, until its answer has arrived', async () => {
    answer = (request, response) => {
      if (request.url === '/feed') response.end('hello');
      else response.writeHead(302, { location: '/feed' }).end();
    };
    const said: string[] = [];
    const admit = (): Promise<() => void> => {
      said.push('enters');
      return Promise.resolve(() => said.push('leaves'));
    };
    await ask({ url: `http://127.0.0.1:${port}/` }, { admit });
    expect(said).toEqual(['enters', 'leaves', 'enters', 'leaves']);
  });

  it('releases its slot when it fails', async () => {
    answer = (_request, response) => response.writeHead(500).end();
    let left = 0;
    await expect(ask({}, { admit: () => Promise.resolve(() => (left += 1)) })).rejects.toThrow('500');
    expect(left).toBe(1);
  });

  it('sends the previous `ETag` and `Last-Modified`, and accepts status 304', async () => {
    answer = (request, response) => {
      const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
      response.writeHead(etag === '"v1"' && since === 'yesterday' ? 304 : 500).end();
    };
    expect(await ask({}, {}, { etag: '"v1"', lastModified: 'yesterday' })).toEqual({ kind: 'not-modified' });
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ] as const)('decodes %s', async (encoding, compress) => {
    answer = (request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip, deflate, br');
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from('hello')));
    };
    expect(await textOf(await ask())).toBe('hello');
  });

  it('reports the declared size of a body before it reads the body', async () => {
    const sizes: number[] = [];
    const sizeOf = async (headers: Record<string, string>, body: Buffer): Promise<void> => {
      answer = (_request, response) => {
        response.writeHead(200, headers).end(body);
      };
      await aSession().request({ url: origin }, {}, (bytes) => sizes.push(bytes));
      await session?.close();
    };
    await sizeOf({ 'content-length': '5' }, Buffer.from('hello'));
    await sizeOf({ 'transfer-encoding': 'chunked' }, Buffer.from('hello'));
    const packed = gzipSync('hello');
    await sizeOf({ 'content-length': String(packed.length), 'content-encoding': 'gzip' }, packed);
    expect(sizes).toEqual([5]);
  });

  it('releases its processing slot before it is sent, and does not take it again for the answer', async () => {
    const log: string[] = [];
    const work = { enter: () => Promise.reject(new Error('no place')), leave: () => void log.push('left') };
    answer = (_request, response) => {
      log.push('asked');
      response.end('x');
    };
    const policy = { inboxDir: '/', maxBytes: 10, timeoutMs: 5000, idleTimeoutMs: 2000 };
    const allowPrivate = new Set([`127.0.0.1:${port}`]);
    session = new OutboundSession({ ...policy, allowPrivate }, abort.controller.signal, [], work);
    await session.request({ url: origin });
    expect(log).toEqual(['left', 'asked']);
  });

  it('is not sent after the session is closed, even if it was waiting for a slot', async () => {
    const places = { taken: 0, left: 0 };
    let goOn = (): void => undefined;
    const turn = new Promise<void>((resolve) => (goOn = resolve));
    const admit = async (host: string): Promise<() => void> => {
      places.taken += 1;
      if (host !== `localhost:${port}`) await turn;
      return () => (places.left += 1);
    };
    let asked = 0;
    answer = (_request, response) => {
      asked += 1;
      response.writeHead(302, { location: `${origin}/other` }).end();
    };
    const closing = aSession({ admit, allowPrivate: new Set([`127.0.0.1:${port}`, `localhost:${port}`]) });
    const transfer = closing.transfer(`ftp://127.0.0.1:${port}/feed`, () => Promise.resolve((asked += 1)));
    const waiting = [transfer, closing.request({ url: `http://localhost:${port}` })];
    const ended = Promise.allSettled(waiting);
    while (places.taken < 3) await sleep(5);
    await closing.close();
    goOn();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(closing.request({ url: origin })).rejects.toThrow('closed');
    expect([asked, places]).toEqual([1, { taken: 3, left: 3 }]);
  });

  it('leaves nothing on disk when its answer arrives after the session is closed', async () => {
    const spoolBudget = new SpoolBudget();
    const closing = aSession({ spoolBudget });
    let goOn = (): void => undefined;
    const turn = new Promise<void>((resolve) => (goOn = resolve));
    const chunks = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.alloc(5_000_000);
      await turn;
    };
    const late = closing.transfer('sftp://host/feed', ({ spool }) => spool(chunks()));
    while (spoolBudget.bytesOnDisk === 0) await sleep(5);
    await closing.close();
    goOn();
    await expect((await late).read(0, 1)).rejects.toThrow();
    expect(spoolBudget.bytesOnDisk).toBe(0);
    await expect(closing.spoolEntry(chunks())).rejects.toThrow('over');
  });

  it('keeps a large answer in an unlinked file, and releases its spool budget', async () => {
    const body = Buffer.alloc(9_000_000, 'abcdefg');
    answer = (_request, response) => {
      response.end(body);
    };
    const temporary = mkdtempSync(join(os.tmpdir(), 'spool-spec-'));
    const tmpdir = jest.spyOn(os, 'tmpdir').mockReturnValue(temporary);
    const budget = new SpoolBudget();
    const given = await ask({}, { spoolBudget: budget });
    if (given.kind !== 'document') throw new Error('not modified');
    expect([readdirSync(temporary), budget.bytesOnDisk]).toEqual([[], 9_000_000]);
    expect((await textOf(given)) === body.toString()).toBe(true);
    expect(await given.spool.read(8_999_998, 10)).toEqual(body.subarray(8_999_998));
    await session?.close();
    expect(budget.bytesOnDisk).toBe(0);
    tmpdir.mockRestore();
    rmSync(temporary, { recursive: true });
  });

  it('logs in with the user of the URL, and removes the user from the URL that it sends', async () => {
    answer = (request, response) => {
      response.end(request.headers.authorization);
    };
    const text = await textOf(await ask({ url: `http://jos%C3%A9:p%40ss@127.0.0.1:${port}/` }));
    expect(Buffer.from(text.slice('Basic '.length), 'base64').toString()).toBe('josé:p@ss');
  });
});

describe('redirects', () => {
  it('are followed three times, but not a fourth time', async () => {
    answer = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    expect(await textOf(await ask({ url: `${origin}/3` }))).toBe('there');
    await session?.close();
    await expect(ask({ url: `${origin}/4` })).rejects.toThrow(BadFeed);
  });

  it.each([
    ['UTF-8', Buffer.from('/é')],
    ['Latin-1', Buffer.from('/é', 'latin1')],
  ])('are followed when their address is encoded in %s', async (_charset, path) => {
    answer = (request, response) => {
      if (request.url !== '/feed') response.end(request.url);
      else response.writeHead(302, { location: path.toString('latin1') }).end();
    };
    expect(await textOf(await ask())).toBe('/%C3%A9');
  });

  it.each(['127.0.0.1:1', '[::1]:1', 'localhost:1'])(
    'are named in the error when they lead to a private address: %s',
    async (host) => {
      answer = (_request, response) => response.writeHead(302, { location: `http://${host}/x` }).end();
      await expect(ask()).rejects.toThrow(
        new AccessRefused(
          `${origin}/feed redirects to ${host}, which is not a public address, and ALLOW_PRIVATE_SOURCES does not name it`,
        ),
      );
    },
  );

  it('carry credentials within an origin and to no other origin', async () => {
    const other = createServer((request, response) => response.end(JSON.stringify([request.url, request.headers])));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const otherPort = (other.address() as AddressInfo).port;
    answer = ({ url = '', headers: { authorization } }, response) => {
      if (url.startsWith('/feed')) response.writeHead(302, { location: url.replace('feed', 'here') }).end();
      else if (authorization !== 'Bearer secret' || !url.endsWith('?key=secret&a=%20+')) response.writeHead(401).end();
      else response.writeHead(302, { location: `http://127.0.0.1:${otherPort}${url}` }).end();
    };
    const allowPrivate = new Set([`127.0.0.1:${port}`, `127.0.0.1:${otherPort}`]);
    const headers = { Authorization: 'Bearer secret', 'X-Api-Key': 'secret' };
    const request = { url: `${origin}/feed?key=secret&a=%20+`, headers, secretParameter: 'key' };
    const seen = await textOf(await ask(request, { allowPrivate }));
    expect(seen).not.toContain('secret');
    expect(seen).toContain('"/here?a=%20+"');
    await session?.close();
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://localhost/',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'ftp://x/',
  ])('are refused when they lead to %s', async (location) => {
    answer = (_request, response) => {
      response.writeHead(302, { location }).end();
    };
    await expect(ask()).rejects.toThrow(AccessRefused);
  });
});

describe('address guard', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '0',
    '[::ffff:127.0.0.1]',
  ])('refuses http://%s', async (host) => {
    answer = (_request, response) => response.end('reached');
    await expect(ask({ url: `http://${host}:${port}/` }, { allowPrivate: new Set() })).rejects.toThrow(AccessRefused);
  });

  it('accepts an allowed host and port only under the allowed name', async () => {
    answer = (_request, response) => response.end('reached');
    const allowPrivate = new Set([`localhost:${port}`]);
    expect(await textOf(await ask({ url: `http://localhost:${port}/` }, { allowPrivate }))).toBe('reached');
    await session?.close();
    await expect(ask({ url: `http://127.0.0.1:${port}/` }, { allowPrivate })).rejects.toThrow(AccessRefused);
  });

  it.each(['ftp://feeds.example/', 'feed.xml', ''])('refuses %j', async (url) => {
    await expect(ask({ url })).rejects.toThrow(AccessRefused);
  });
});

describe('an answer that is not a feed', () => {
  it('causes an error that names the source and hides its secrets', async () => {
    answer = (_request, response) => {
      response.writeHead(404).end();
    };
    await expect(ask({ url: `http://me:secret@127.0.0.1:${port}/secret?key=secret&page=2` })).rejects.toThrow(
      new BadFeed(`http://127.0.0.1:${port}/***?key=***&page=2 answered 404`),
    );
  });

  it('is retried after its `Retry-After` time when its status is 429', async () => {
    answer = (_request, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end();
    };
    await expect(ask()).rejects.toMatchObject({ name: 'RetryLater', retryAfterMs: 7000 });
  });

  it.each([
    [
      'shorter than its declared length',
      {},
      (response: ServerResponse) => response.writeHead(200, { 'content-length': 10 }).write('abc'),
    ],
    ['chunked and cut', {}, (response: ServerResponse) => response.write('abc')],
    [
      'compressed and cut',
      { 'content-encoding': 'gzip' },
      (response: ServerResponse) => response.end(gzipSync('a'.repeat(1000)).subarray(0, 20)),
    ],
  ])('is retried when its body is %s', async (_how, headers, write) => {
    answer = (_request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      write(response);
      setTimeout(() => response.destroy(), 50);
    };
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RetryLater);
    expect(String(error)).toContain('was cut');
  });

  it('is refused when its compressed bytes are damaged', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all');
    };
    await expect(ask()).rejects.toThrow(BadFeed);
  });

  it.each([
    ['without compression', undefined, Buffer.alloc(200_000)],
    ['with compression', 'gzip', gzipSync(Buffer.alloc(200_000))],
  ])('is refused when it is larger than the limit, %s', async (_how, encoding, body) => {
    answer = (_request, response) => {
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end(body);
    };
    await expect(ask({}, { maxBytes: 150_000 })).rejects.toThrow(/more bytes than the limit/);
  });

  it('is refused when all answers of the run together exceed the limit', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(100_000));
    const patient = aSession({ maxBytes: 150_000 });
    await patient.request({ url: origin });
    await expect(patient.request({ url: origin })).rejects.toThrow(BadFeed);
  });
});

function drip(_request: IncomingMessage, response: ServerResponse): void {
  const dripping = setInterval(() => response.write('x'), 20);
  response.on('close', () => {
    clearInterval(dripping);
  });
}

describe('a source that keeps the run waiting', () => {
  it.each([
    ['before the headers', (): void => undefined],
    ['inside the body', (response: ServerResponse): void => void response.write('abc')],
  ])('is given up after the idle timeout, %s', async (_where, write) => {
    answer = (_request, response) => {
      write(response);
    };
    await expect(ask({}, { idleTimeoutMs: 100 })).rejects.toThrow(/was silent for 100 ms/);
  });

  it('is given up after the total timeout, even while it is sending', async () => {
    answer = drip;
    await expect(ask({}, { idleTimeoutMs: 1000, timeoutMs: 150 })).rejects.toThrow(/took too long/);
  });

  it('is given up when it sends less than the minimum rate, even if it is never silent', async () => {
    answer = drip;
    const leastRate = { bytesPerSecond: 1_000_000, overMs: 200 };
    await expect(ask({}, { leastRate })).rejects.toThrow(/sent \d+ bytes a second for 200 ms; least-rate is 1000000/);
  });

  it('may be slow if it sends the minimum rate in each time window', async () => {
    answer = (request, response) => {
      drip(request, response);
      setTimeout(() => response.end(), 4_000);
    };
    const given = await ask({}, { timeoutMs: 60_000, leastRate: { bytesPerSecond: 1, overMs: 1_500 } });
    expect(await textOf(given)).toMatch(/^x+$/);
  });

  it('may delay the start of the body longer than the window of the minimum rate', async () => {
    answer = (_request, response) => {
      setTimeout(() => response.end('late'), 500);
    };
    expect(await textOf(await ask({}, { leastRate: { overMs: 100 } }))).toBe('late');
  });

  it('is disconnected immediately when the run is aborted', async () => {
    answer = (_request, response) => {
      response.write('abc');
    };
    const reason = new Error('cancelled');
    setTimeout(() => {
      abort.controller.abort(reason);
    }, 50);
    await expect(ask()).rejects.toBe(reason);
  });

  it('causes an error with the code ECONNREFUSED when it refuses the connection', async () => {
    await expect(ask({ url: 'http://127.0.0.1:1/' }, { allowPrivate: new Set(['127.0.0.1:1']) })).rejects.toThrow(
      'http://127.0.0.1:1/ did not answer (ECONNREFUSED)',
    );
  });
});

describe('a source that closes its connection right after an answer that decompresses slowly', () => {
  const body = gzipSync(Buffer.concat([randomBytes(100_000), Buffer.alloc(30_000_000)]));
  const answerOf = (length: number): void => {
    answer = (_request, response) => {
      response.strictContentLength = false;
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': length, connection: 'close' });
      response.end(body);
    };
  };

  it('is read to its end', async () => {
    answerOf(body.length);
    expect(await ask()).toMatchObject({ spool: { sizeBytes: 30_100_000 } });
  });

  it('causes a `was cut` error when bytes are missing', async () => {
    answerOf(body.length + 1000);
    await expect(ask()).rejects.toThrow(/was cut/);
  });
});
