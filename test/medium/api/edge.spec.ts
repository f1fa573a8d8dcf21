import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersIn, type RawAnswer } from '../../support/raw-http';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';
import { until } from '../../support/waiting';

// Real: HTTP on bare sockets, PostgreSQL. Fake: the ingestor.
let api: ApiUnderTest;
let gateway: SeededGateway;
let lines: Record<string, unknown>[] = [];
let all: Record<string, unknown>[] = [];
const startedMs = performance.now();

beforeAll(async () => {
  const stream = { write: (line: string): unknown => lines.push(JSON.parse(line) as Record<string, unknown>) };
  api = await startApi({ refusedKeysPerMinute: 5 }, { log: stream });
  gateway = await addGateway(api.database, { listings: someListings(3) });
});
beforeEach(() => {
  all = [...all, ...lines];
  lines = [];
  api.clock.skip(60_000);
});
afterAll(() => api.close());

/** Sends bytes that no HTTP client would send, and reads all answers until the server closes. */
async function raw(...packets: string[]): Promise<RawAnswer[]> {
  return rawAnswers(Infinity, ...packets);
}

/** Sends bytes, and closes the connection after this many answers, because the server may leave it open. */
async function rawAnswers(count: number, ...packets: string[]): Promise<RawAnswer[]> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const read = (async () => {
    let text = '';
    for await (const chunk of socket) {
      text += (chunk as Buffer).toString('latin1');
      if (text.split('HTTP/1.1 ').length > count && areWhole(text)) socket.end();
    }
    return text;
  })();
  for (const [at, packet] of packets.entries()) {
    if (at > 0) await sleep(10);
    socket.write(packet, 'latin1');
  }
  return answersIn(await read);
}

function areWhole(text: string): boolean {
  try {
    return answersIn(text).length > 0;
  } catch {
    return false;
  }
}

const statuses = (answers: RawAnswer[]): number[] => answers.map(({ status }) => status);
const get = (path: string, headers = `Key: ${gateway.key}\r\n`): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const report = (): string => {
  const body = JSON.stringify({ crm: gateway.crm, client: gateway.client, status: 'success' });
  return `POST /v1/report HTTP/1.1\r\nHost: x\r\nKey: ${gateway.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const ROUTES: readonly (readonly [string, () => string])[] = [
  ['a page', () => get(`/v1/properties?${gateway.query}`)],
  ['a property', () => get(`/v1/properties/L-1?${gateway.query}`)],
  ['the manifest', () => get(`/v1/manifest?${gateway.query}`)],
  ['a report', report],
  ['the full export', () => get(`/?variable1=${gateway.crm}&variable2=${gateway.client}`)],
  ['the status', () => get(`/v1/status?${gateway.query}`)],
  ['the list of endpoints', () => get('/v1')],
];
const GARBAGE: readonly (readonly [string, string])[] = [
  ['garbage', 'GARBAGE'],
  ['a line of garbage', 'GARBAGE\r\n\r\n'],
  ['an invented method', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a broken header', 'GET /v1 HTTP/1.1\r\nHo st: x\r\n\r\n'],
  ['two lengths', 'POST /v1/report HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
  ['the end of a TLS greeting', '\x16\x03\x01'],
];

describe('valid request followed by garbage', () => {
  it.each(ROUTES)('gets its answer before the garbage is refused: %s', async (_route, request) => {
    for (const [what, garbage] of GARBAGE) {
      for (let round = 0; round < 2; round += 1) {
        expect([what, ...statuses(await raw(request() + garbage))]).toEqual([what, 200, 400]);
      }
    }
  });

  it.each(ROUTES)(
    'gets its answer before garbage that arrives a moment later is refused: %s',
    async (_route, request) => {
      expect(statuses(await raw(request(), 'GARBAGE'))).toEqual([200, 400]);
    },
  );

  it('gets its answer wherever the garbage is in the pipeline', async () => {
    const all = ROUTES.map(([, request]) => request());
    for (let place = 0; place <= all.length; place += 1) {
      const answers = await raw([...all.slice(0, place), 'GARBAGE\r\n\r\n', ...all.slice(place)].join(''));
      expect(statuses(answers)).toEqual([...all.slice(0, place).map(() => 200), 400]);
    }
  });

  it('gets its answer, and a following unknown method gets 405 with the methods of its own path', async () => {
    const [first, second] = await raw(
      `${get(`/v1/properties/L-1?${gateway.query}`)}BREW /v1 HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect([first?.status, second?.status, second?.headers['allow']]).toEqual([200, 405, 'GET, HEAD']);
  });

  it('gets its answer before a following CONNECT is refused', async () => {
    const answers = await raw(`${get(`/v1/properties/L-1?${gateway.query}`)}CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(statuses(answers)).toEqual([200, 405]);
  });
});

describe('body that is not valid HTTP', () => {
  const chunked = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}ZZ`;

  it('is refused in its turn in the pipeline, like any other error', async () => {
    const [first, own, ...rest] = await raw(get('/v1') + chunked('/v1/report'));
    expect([first?.status, own?.status, rest]).toEqual([200, 400, []]);
    expect(own?.headers).toMatchObject({ 'x-request-id': 'mine', connection: 'close' });
    await until(() => Promise.resolve(lines.length >= 2));
    expect(lines[1]).toMatchObject({ requestId: 'mine', path: '/v1/report', status: 400 });
  });

  it('leaves an answer unchanged that does not depend on the body', async () => {
    expect(statuses(await raw(chunked('/nope')))).toEqual([404]);
    expect(statuses(await raw(chunked('/v1/report').replace('application/json', 'text/plain')))).toEqual([400]);
    const page = `/v1/properties?${gateway.query}`;
    for (let round = 0; round < 2; round += 1) {
      const broken = get(page, `Key: ${gateway.key}\r\nTransfer-Encoding: chunked\r\n`);
      expect(statuses(await raw(`${broken}ZZ\r\n`))).toEqual([200]);
    }
  });

  it.each(['gzip', 'gzip, chunked', 'chunked, gzip', 'identity', 'x'])(
    'is refused on a GET when its end is unclear: %s',
    async (coding) => {
      const page = `/v1/properties?${gateway.query}`;
      for (let round = 0; round < 2; round += 1) {
        await api.get(page, gateway.headers);
        // Bytes after a chunked body could be another request, so the server may leave the connection open.
        const [answer] = await rawAnswers(1, get(page, `Key: ${gateway.key}\r\nTransfer-Encoding: ${coding}\r\n`));
        expect(answer?.status).toBe(400);
      }
    },
  );
});

describe('log of invalid HTTP', () => {
  // The previous tests may already have used up the log lines of this second.
  beforeEach(() => sleep(1_010));

  it('has one line per answer, with its id, address and fault', async () => {
    const [answer] = await raw('GARBAGE\r\n\r\n');
    const answered = (): typeof lines => lines.filter(({ msg }) => msg === 'answered');
    await until(() => Promise.resolve(answered().length >= 1));
    const { 'x-request-id': requestId } = answer?.headers ?? {};
    expect(answered()).toMatchObject([
      { msg: 'answered', requestId, address: '127.0.0.1', fault: 'HPE_INVALID_METHOD', status: 400 },
    ]);
  });

  it('has at most ten lines per second, and counts the rest', async () => {
    const second = (): number => Math.floor(performance.now() / 1_000);
    const first = second();
    await Promise.all(Array.from({ length: 60 }, () => raw('GARBAGE\r\n\r\n')));
    const seconds = second() - first + 1;
    const UNLOGGED = 'requests that were not valid HTTP are counted, not logged';
    const of = (wanted: string, among = lines): number => among.filter(({ msg }) => msg === wanted).length;
    // The log reports this count once a minute.
    const minutes = Math.floor((performance.now() - startedMs) / 60_000);
    const unlogged = of(UNLOGGED, [...all, ...lines]);
    expect(unlogged).toBeGreaterThanOrEqual(1);
    expect(unlogged).toBeLessThanOrEqual(1 + minutes);
    expect(of('answered')).toBeLessThanOrEqual(10 * seconds);
  });
});

describe('reader that leaves', () => {
  it('causes no error, and its wrong key is still counted and limited', async () => {
    const address = new URL(api.url);
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(address.port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(get(`/v1/status?${gateway.query}`, `Key: wrong\r\nX-Request-Id: gone-${n}\r\n`));
      socket.resetAndDestroy();
    }
    await until(() => Promise.resolve(lines.filter(({ msg }) => msg === 'answered').length >= 20));
    expect(lines.filter(({ level }) => Number(level) > 40)).toEqual([]);
    expect((await api.get(`/v1/status?${gateway.query}`, { key: 'wrong' })).status).toBe(429);
  });
});

describe('reader that leaves before its pipelined answers', () => {
  const dumpOf = ({ crm, client, key }: SeededGateway): string =>
    get(`/?variable1=${crm}&variable2=${client}`, `Key: ${key}\r\n`);

  it('does not delay other readers: the server also ends answers that wait behind another answer', async () => {
    const wrong = get(`/v1/status?${gateway.query}`, 'Key: wrong\r\n');
    for (let n = 0; n < 4; n += 1) {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      await once(socket, 'connect');
      // The refusal of the wrong key takes a moment, so the finished dump waits behind it.
      socket.write(wrong + dumpOf(gateway));
      await sleep(10);
      socket.resetAndDestroy();
    }
    await until(() => Promise.resolve(lines.filter(({ msg }) => msg === 'answered').length >= 8));
    expect((await api.get(`/?variable1=${gateway.crm}&variable2=${gateway.client}`, gateway.headers)).status).toBe(200);
  });
});

describe('invalid HTTP request when TLS is required', () => {
  it('gets the Strict-Transport-Security header, like every request', async () => {
    const secure = await startApi(
      { requireHttps: true, trustProxy: ['127.0.0.1'] },
      { headers: { 'x-forwarded-proto': 'https' } },
    );
    const socket = connect(Number(new URL(secure.url).port), '127.0.0.1');
    socket.write('GARBAGE\r\n\r\n');
    const [answer] = answersIn(String(((await once(socket, 'data')) as [Buffer])[0]));
    expect(answer?.headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000' });
    socket.destroy();
    await secure.close();
  });
});

describe('client that pipelines requests', () => {
  const wrong = (): string => get(`/v1/status?${gateway.query}`, 'Key: wrong\r\n');

  it('gets every answer while fewer than a thousand requests are outstanding', async () => {
    const answers = await rawAnswers(900, wrong().repeat(900));
    expect([answers.length, new Set(statuses(answers))]).toEqual([900, new Set([401, 429])]);
  });

  it('is disconnected beyond a thousand outstanding requests, without an effect on other readers', async () => {
    const before = lines.length;
    expect(await raw(wrong().repeat(5_000)).catch(() => [])).toEqual([]);
    await until(() => Promise.resolve(lines.length - before >= 1_000));
    expect(lines.filter(({ level }) => Number(level) > 40)).toEqual([]);
    expect((await api.get(`/v1/properties?${gateway.query}`, gateway.headers)).status).toBe(200);
  });
});
