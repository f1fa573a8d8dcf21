import { createServer, type AddressInfo } from 'node:net';
import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { FeedSummary, OutboundPolicy } from '../../../libs/connectors/src/engine/contracts';
import { trustTestAuthority } from './certificates';
import { FtpServer, type FtpServerOptions } from './ftp-server';
import { recogniseNativeErrors } from './native-errors';
import { runLines } from './run-lines';
import { openFtpStore } from '../../../libs/connectors/src/engine/fetch/stores/ftp-store';
import { openGuardedSocket } from '../../../libs/connectors/src/engine/fetch/address-guard';

recogniseNativeErrors();

const LOGIN = { username: 'agence', password: 'p@ss' };
const FEED = '1;Lyon\n2;Nice\n';

let server: FtpServer;

afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

async function aServer(options: FtpServerOptions = {}): Promise<FtpServer> {
  server = await new FtpServer(options).listen();
  server.serve('immo.csv', FEED);
  return server;
}

function run(
  path = 'immo.csv',
  {
    previous = {},
    credentials = LOGIN,
    scheme = 'ftp',
    host = '127.0.0.1',
    signal = new AbortController().signal,
    ...policy
  }: Partial<OutboundPolicy> & {
    previous?: FeedSummary['memory'];
    credentials?: Record<string, string>;
    scheme?: string;
    host?: string;
    signal?: AbortSignal;
  } = {},
): ReturnType<typeof runLines> {
  return runLines(
    `${scheme}://${host}:${server.port}/${path}`,
    { allowPrivate: new Set([`${host}:${server.port}`]), ...policy },
    { previous, signal },
    { credentials },
  );
}

function retrievals(): number {
  return server.asked.filter((command) => command.startsWith('RETR')).length;
}

describe('file on an ftp server', () => {
  it.each([
    ['a modern server', []],
    ['a server without EPSV and MLSD', ['EPSV', 'MLSD']],
    ['a server that supports only basic commands', ['SIZE', 'MDTM', 'EPSV', 'MLSD', 'OPTS', 'FEAT']],
  ])('is read from %s', async (_what, unknown) => {
    await aServer({ unknown });
    const { ids, summary } = await run();
    expect(ids).toEqual(['1', '2']);
    expect(summary).toMatchObject({ notModified: false, fetchedBytes: FEED.length, records: 2 });
  });

  it('is read completely when it is large', async () => {
    await aServer();
    server.serve('immo.csv', '1;Lyon\n'.repeat(100_000));
    expect((await run()).summary).toMatchObject({ fetchedBytes: 700_000, records: 100_000 });
  });

  it('may have blanks, accents and folders in its name, and credentials in its address', async () => {
    await aServer();
    server.serve('dépôt du jour/été 1.csv', FEED);
    const host = 'agence:p%40ss@127.0.0.1';
    const allowPrivate = new Set([`127.0.0.1:${server.port}`]);
    const { ids } = await run('d%C3%A9p%C3%B4t%20du%20jour/%C3%A9t%C3%A9%201.csv', {
      host,
      credentials: {},
      allowPrivate,
    });
    expect(ids).toEqual(['1', '2']);
  });

  it('is not downloaded again while its size and time are the same', async () => {
    await aServer();
    const first = await run();
    const second = await run('immo.csv', { previous: first.summary.memory });
    expect(second).toMatchObject({ ids: [], summary: { notModified: true, fetchedBytes: 0 } });
    expect(second.summary.memory).toEqual(first.summary.memory);
    expect(retrievals()).toBe(1);
    server.serve('immo.csv', FEED, new Date('2026-03-02T10:00:00Z'));
    const touched = await run('immo.csv', { previous: first.summary.memory });
    expect(touched.summary).toMatchObject({ notModified: true, fetchedBytes: FEED.length });
    server.serve('immo.csv', '3;Nice\n');
    expect((await run('immo.csv', { previous: touched.summary.memory })).ids).toEqual(['3']);
  });

  it('is not read while it is still being written, even if its writer pauses', async () => {
    await aServer();
    const { summary } = await run();
    server.serve('immo.csv', FEED.slice(0, 7));
    const resuming = setInterval(() => {
      const commands = server.asked.map((command) => command.slice(0, 4));
      const isFetched = retrievals() === 2 && commands.lastIndexOf('MDTM') > commands.lastIndexOf('RETR');
      if (isFetched) server.serve('immo.csv', FEED.slice(0, 9));
    }, 20);
    const reading = run('immo.csv', { previous: summary.memory, settleMs: 300 });
    await expect(reading)
      .rejects.toThrow(/is still being written$/)
      .finally(() => {
        clearInterval(resuming);
      });
    server.serve('immo.csv', '3;Nice\n');
    expect((await run('immo.csv', { previous: summary.memory })).ids).toEqual(['3']);
  });

  it('is always downloaded when the server reports no file times', async () => {
    await aServer({ unknown: ['MDTM'] });
    const { summary } = await run();
    expect(summary.memory.etag).toBeUndefined();
    expect((await run('immo.csv', { previous: summary.memory })).summary).toMatchObject({
      notModified: true,
      fetchedBytes: FEED.length,
    });
  });

  it.each([
    ['a modern server', []],
    ['a server without MLSD', ['MLSD', 'FEAT']],
  ])('is the newest match when its path is a pattern, on %s', async (_what, unknown) => {
    await aServer({ unknown });
    server.serve('drop/immo_1.csv', 'old;Lyon\n', new Date('2026-03-01T10:00:00Z'));
    server.serve('drop/immo_2.csv', 'new;Lyon\n', new Date('2026-03-03T10:00:00Z'));
    server.serve('drop/immo_3.csv', 'middle;Lyon\n', new Date('2026-03-02T10:00:00Z'));
    server.serve('drop/immo_4.csv.part', 'partial;Lyon\n', new Date('2026-03-04T10:00:00Z'));
    const { ids, summary } = await run('drop/immo_*.csv');
    expect(ids).toEqual(['new']);
    expect((await run('drop/immo_*.csv', { previous: summary.memory })).summary.notModified).toBe(true);
    server.serve('drop/immo_5.csv', 'new;Lyon\n', new Date('2026-03-05T10:00:00Z'));
    expect((await run('drop/immo_*.csv', { previous: summary.memory })).summary.fetchedBytes).toBe(9);
    await expect(run('drop/other_*.csv')).rejects.toThrow(
      new BadFeed(`no file matches ftp://127.0.0.1:${server.port}/drop/other_*.csv`),
    );
  });
});

describe('run over a failing ftp server', () => {
  it('reports a refused login', async () => {
    await aServer();
    const error: unknown = await run('immo.csv', { credentials: { user: 'agence', password: 'wrong' } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toEqual(new AccessRefused(`ftp://127.0.0.1:${server.port}/immo.csv refused the login (530)`));
    await expect(run('immo.csv', { credentials: {} })).rejects.toThrow(AccessRefused);
    await expect(run('immo.csv', { credentials: { ...LOGIN, password: 'a\r\nDELE b' } })).rejects.toThrow(
      AccessRefused,
    );
    expect(server.asked).not.toContain('DELE b');
  });

  it('reports a missing file, and a file that is larger than allowed', async () => {
    await aServer();
    await expect(run('other.csv')).rejects.toThrow(BadFeed);
    await expect(run('immo.csv', { maxBytes: 10 })).rejects.toThrow(BadFeed);
    expect(retrievals()).toBe(0);
  });

  it('reports a server that sends more than it announced', async () => {
    await aServer({ send: (data) => data.end('x'.repeat(100)) });
    await expect(run('immo.csv', { maxBytes: 50 })).rejects.toThrow(BadFeed);
  });

  it('reports a transfer that the server cuts', async () => {
    await aServer({
      send(data, bytes) {
        data.write(bytes.subarray(0, 5), () => data.destroy());
      },
    });
    await expect(run('immo.csv', { idleTimeoutMs: 1000 })).rejects.toThrow(RetryLater);
  });

  it('reports a transfer that ends early', async () => {
    await aServer({ send: (data, bytes) => data.end(bytes.subarray(0, 7)) });
    await expect(run()).rejects.toThrow(
      new RetryLater(`ftp://127.0.0.1:${server.port}/immo.csv came with 7 of its 14 bytes`),
    );
  });

  it('reports a server that becomes silent', async () => {
    await aServer({ send: (data, bytes) => data.write(bytes.subarray(0, 5)) });
    await expect(run('immo.csv', { idleTimeoutMs: 800 })).rejects.toThrow(/was silent for 800 ms/);
    await expect(run('immo.csv', { timeoutMs: 900 })).rejects.toThrow(/took too long to answer/);
  });

  it('reports a file that is still growing', async () => {
    await aServer();
    const growing = setInterval(() => {
      const { bytes } = server.files.get('immo.csv')!;
      server.serve('immo.csv', Buffer.concat([bytes, Buffer.from('3;Nice\n')]));
    }, 5);
    await expect(run()).rejects.toThrow(
      new RetryLater(`ftp://127.0.0.1:${server.port}/immo.csv is still being written`),
    );
    clearInterval(growing);
    expect(retrievals()).toBe(0);
  });

  it('reports a file that changes during the download', async () => {
    await aServer({
      send(data, bytes) {
        server.serve('immo.csv', '9;Nice\n8;Nice\n', new Date());
        data.end(bytes);
      },
    });
    await expect(run()).rejects.toThrow(/changed while it was read/);
  });

  it('disconnects when it is aborted', async () => {
    const controller = new AbortController();
    await aServer({
      send() {
        controller.abort(new Error('cancelled'));
      },
    });
    await expect(run('immo.csv', { signal: controller.signal })).rejects.toThrow('cancelled');
  });

  it.each(['', 'garbage\r\n', '421 too many\r\n'])('reports a server that greets with %j', async (greeting) => {
    await aServer();
    const other = createServer((socket) => socket.write(greeting));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const policy = { allowPrivate: new Set([`127.0.0.1:${port}`]), idleTimeoutMs: 500 };
    for (const scheme of ['ftp', 'ftps']) {
      await expect(runLines(`${scheme}://127.0.0.1:${port}/a.csv`, policy)).rejects.toThrow(RetryLater);
    }
    other.close();
    await expect(runLines(`ftp://127.0.0.1:${port}/a.csv`, policy)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('guard of ftp addresses', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '127.1', '2130706433'])('refuses ftp://%s', async (host) => {
    await aServer();
    await expect(run('immo.csv', { host, allowPrivate: new Set() })).rejects.toThrow(/ALLOW_PRIVATE_SOURCES/);
    await expect(run('immo.csv', { host, allowPrivate: new Set(), scheme: 'sftp' })).rejects.toThrow(AccessRefused);
    expect(server.asked).toEqual([]);
  });

  it("uses the server's own address for data, even when the server names another address", async () => {
    let strangers = 0;
    const stranger = createServer(() => (strangers += 1));
    await aServer({ unknown: ['EPSV'], passiveAddress: '127.0.0.2' });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.2', resolve));
    expect((await run()).ids).toEqual(['1', '2']);
    expect(strangers).toBe(0);
    stranger.close();
  });
});

describe('ftps server', () => {
  it.each(['localhost', '127.0.0.1'])('is refused at %s when its certificate is invalid', async (host) => {
    await aServer({ security: 'explicit' });
    await expect(run('immo.csv', { scheme: 'ftps', host })).rejects.toThrow(
      /^the TLS certificate of ftps:\/\/.* is not valid here \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\); an authority of your own goes into NODE_EXTRA_CA_CERTS$/,
    );
    expect(server.asked).not.toContain('PASS');
  });

  it('is refused under a name that its certificate does not contain', async () => {
    trustTestAuthority();
    await aServer({ security: 'explicit' });
    await expect(run('immo.csv', { scheme: 'ftps' })).rejects.toThrow(/\(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  });

  it('is accepted when the authority of its certificate is known, with TLS on both connections', async () => {
    trustTestAuthority();
    await aServer({ security: 'explicit' });
    expect((await run('*.csv', { scheme: 'ftps', host: 'localhost' })).ids).toEqual(['1', '2']);
    expect(server.asked).toEqual(expect.arrayContaining(['AUTH TLS', 'PROT P']));
  });

  it('is refused when it does not support TLS', async () => {
    await aServer();
    await expect(run('immo.csv', { scheme: 'ftps' })).rejects.toThrow(/does not offer TLS \(504\)/);
    expect(server.asked).toEqual(['AUTH TLS']);
  });

  it('uses TLS from the start on port 990', async () => {
    trustTestAuthority();
    await aServer({ security: 'implicit' });
    const { signal } = new AbortController();
    const socket = await openGuardedSocket('localhost', server.port, new Set([`localhost:${server.port}`]), signal);
    const login = {
      user: 'agence',
      password: 'p@ss',
      privateKey: undefined,
      passphrase: undefined,
      hostKey: undefined,
    };
    const transfer = {
      signal,
      shown: 'ftps://localhost:990/immo.csv',
      maxBytes: 100,
      noteActivity: jest.fn(),
      spool: jest.fn(),
    };
    const store = await openFtpStore(socket, login, transfer, { protocol: 'ftps', host: 'localhost', port: 990 });
    expect(await store.stat('immo.csv')).toEqual({ sizeBytes: 14, modifiedMs: Date.UTC(2026, 2, 1, 10) });
    const chunks: Buffer[] = [];
    for await (const chunk of store.read('immo.csv', 14)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(FEED);
    expect(server.asked).not.toContain('AUTH TLS');
    store.close();
  });
});
