import { generateKeyPairSync } from 'node:crypto';
import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { FeedSummary, OutboundPolicy } from '../../../libs/connectors/src/engine/contracts';
import { aKeyPair } from './key-pair';
import { runLines } from './run-lines';
import { SftpServer, type SftpServerOptions } from './sftp-server';

// Real: the connection, SSH, SFTP. The server's files are in memory.

const LOGIN = { username: 'agence', password: 'p@ss' };
const FEED = '1;Lyon\n2;Nice\n';

let server: SftpServer;

afterEach(async () => {
  await server.close();
});

async function aServer(options: SftpServerOptions = {}): Promise<SftpServer> {
  server = await new SftpServer(options).listen();
  server.serve('/immo.csv', FEED);
  return server;
}

interface RunOptions extends Partial<OutboundPolicy> {
  previous?: FeedSummary['memory'];
  credentials?: Record<string, string>;
  settings?: Record<string, string>;
  host?: string;
  signal?: AbortSignal;
}

function run(path = 'immo.csv', options: RunOptions = {}): ReturnType<typeof runLines> {
  const { previous = {}, credentials = LOGIN, settings = {}, host = '127.0.0.1', signal, ...policy } = options;
  return runLines(
    `sftp://${host}:${server.port}/${path}`,
    { allowPrivate: new Set([`127.0.0.1:${server.port}`]), ...policy },
    { previous, signal: signal ?? new AbortController().signal },
    { credentials, settings },
  );
}

const shown = (path = 'immo.csv'): string => `sftp://127.0.0.1:${server.port}/${path}`;

describe('file on an sftp server', () => {
  it('is read with a password', async () => {
    await aServer();
    const { ids, summary } = await run();
    expect(ids).toEqual(['1', '2']);
    expect(summary).toMatchObject({ notModified: false, fetchedBytes: FEED.length, records: 2 });
  });

  it('is read with a password that the server requests interactively', async () => {
    await aServer({ isInteractive: true });
    expect((await run()).ids).toEqual(['1', '2']);
  });

  it('is read with the credentials of its address', async () => {
    await aServer();
    const { ids } = await run('immo.csv', { host: 'agence:p%40ss@127.0.0.1', credentials: {} });
    expect(ids).toEqual(['1', '2']);
  });

  it.each([
    ['in the format of OpenSSH', undefined],
    ['encrypted', 'open sesame'],
    ['on one line', undefined],
  ])('is read with a private key %s', async (how, passphrase) => {
    const pair = aKeyPair(passphrase);
    await aServer({ publicKey: pair.public });
    const key = how === 'on one line' ? pair.private.trim().replaceAll('\n', '\\n') : pair.private;
    const credentials = { username: 'agence', 'private-key': key, ...(passphrase !== undefined && { passphrase }) };
    expect((await run('immo.csv', { credentials })).ids).toEqual(['1', '2']);
  });

  it('is read completely when it is large and the server returns few bytes per read', async () => {
    await aServer({ mostBytes: 10_000 });
    server.serve('/immo.csv', '1;Lyon\n'.repeat(50_000));
    expect((await run()).summary).toMatchObject({ fetchedBytes: 350_000, records: 50_000 });
  });

  it('is not downloaded again while its size and time are the same', async () => {
    await aServer();
    const first = await run();
    const second = await run('immo.csv', { previous: first.summary.memory });
    expect(second).toMatchObject({ ids: [], summary: { notModified: true, fetchedBytes: 0 } });
    expect(server.opened).toEqual(['/immo.csv']);
    server.serve('/immo.csv', '3;Nice\n');
    expect((await run('immo.csv', { previous: first.summary.memory })).ids).toEqual(['3']);
  });

  it('is the newest match when its path is a pattern', async () => {
    await aServer();
    server.serve('/drop/immo_1.csv', 'old;Lyon\n', new Date('2026-03-01T10:00:00Z'));
    server.serve('/drop/immo_2.csv', 'new;Lyon\n', new Date('2026-03-03T10:00:00Z'));
    server.serve('/drop/immo_3.csv.part', 'partial;Lyon\n', new Date('2026-03-04T10:00:00Z'));
    expect((await run('drop/immo_*.csv')).ids).toEqual(['new']);
    await expect(run('drop/other_*.csv')).rejects.toThrow(new BadFeed(`no file matches ${shown('drop/other_*.csv')}`));
    await expect(run('nowhere/*.csv')).rejects.toThrow(BadFeed);
  });

  it('is read only from the server with the expected host key', async () => {
    await aServer();
    const { ids } = await run('immo.csv', { settings: { 'host-key': server.fingerprint } });
    expect(ids).toEqual(['1', '2']);
    const other = `SHA256:${'A'.repeat(43)}`;
    await expect(run('immo.csv', { settings: { 'host-key': other } })).rejects.toThrow(
      new AccessRefused(
        `${shown()} shows the host key ${server.fingerprint.replaceAll('=', '')}, which is not the one in "host-key"`,
      ),
    );
    await expect(run('immo.csv', { settings: { 'host-key': 'ssh-rsa AAAA' } })).rejects.toThrow(AccessRefused);
    expect(server.opened).toEqual(['/immo.csv']);
  });
});

describe('run over a failing sftp server', () => {
  it('reports a refused login, and does not name the credentials', async () => {
    await aServer();
    const refused = `${shown()} refused the login`;
    await expect(run('immo.csv', { credentials: { ...LOGIN, password: 'wrong' } })).rejects.toMatchObject({
      name: 'AccessRefused',
      message: refused,
    });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const stranger = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    await expect(run('immo.csv', { credentials: { username: 'agence', 'private-key': stranger } })).rejects.toThrow(
      refused,
    );
    await expect(run('immo.csv', { host: 'agence:wrong@127.0.0.1', credentials: {} })).rejects.not.toThrow(/wrong/);
  });

  it('fails when the user name is missing or the private key is unreadable', async () => {
    await aServer();
    await expect(run('immo.csv', { credentials: {} })).rejects.toThrow(
      new AccessRefused(`${shown()} needs the credential "username"`),
    );
    await expect(run('immo.csv', { credentials: { username: 'agence', 'private-key': 'no key' } })).rejects.toThrow(
      /"private-key" cannot be read/,
    );
  });

  it('reports a file that is missing, too large, a folder, or not readable for this login', async () => {
    await aServer();
    await expect(run('other.csv')).rejects.toThrow(BadFeed);
    await expect(run('immo.csv', { maxBytes: 10 })).rejects.toThrow(BadFeed);
    await expect(run('folder')).rejects.toThrow(new BadFeed(`${shown('folder')} is not a file`));
    await expect(run('secret')).rejects.toThrow(new AccessRefused(`this login may not read ${shown('secret')}`));
    expect(server.opened).toEqual([]);
  });

  it('reports a server that cuts the connection during the transfer', async () => {
    await aServer({
      onRead(connection) {
        connection.end();
        return false;
      },
    });
    await expect(run()).rejects.toThrow(RetryLater);
  });

  it('reports a server that becomes silent', async () => {
    await aServer({ onRead: () => false });
    await expect(run('immo.csv', { idleTimeoutMs: 800 })).rejects.toThrow(/was silent for 800 ms/);
    await expect(run('immo.csv', { timeoutMs: 900 })).rejects.toThrow(/took too long to answer/);
  });

  it('reports a file that is still growing', async () => {
    await aServer();
    const growing = setInterval(() => {
      const { bytes } = server.files.get('/immo.csv') ?? { bytes: Buffer.alloc(0) };
      server.serve('/immo.csv', Buffer.concat([bytes, Buffer.from('3;Nice\n')]));
    }, 5);
    await expect(run()).rejects.toThrow(new RetryLater(`${shown()} is still being written`));
    clearInterval(growing);
    expect(server.opened).toEqual([]);
  });

  it('disconnects when it is aborted', async () => {
    const controller = new AbortController();
    await aServer({
      onRead() {
        controller.abort(new Error('cancelled'));
        return false;
      },
    });
    await expect(run('immo.csv', { signal: controller.signal })).rejects.toThrow('cancelled');
  });

  it('reports a server that does not use SSH', async () => {
    await aServer();
    const { createServer } = await import('node:net');
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const policy = { allowPrivate: new Set([`127.0.0.1:${port}`]), idleTimeoutMs: 1_000 };
    await expect(runLines(`sftp://127.0.0.1:${port}/a.csv`, policy, {}, { credentials: LOGIN })).rejects.toThrow(
      RetryLater,
    );
    other.close();
  });
});
