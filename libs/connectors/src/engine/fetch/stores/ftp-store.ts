import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { connect as startTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { Client, type FileInfo, FTPError } from 'basic-ftp';
import { AccessRefused, BadFeed, FeedError, RetryLater } from '@passerelle/domain';
import { errorCode } from '../../error-code';
import { passiveConnections } from './ftp-data-connection';
import { listingDateMs } from './listing-date';
import type { Transfer } from '../http/outbound-session';
import type { RemoteAddress, RemoteLogin } from './remote-address';
import type { ListedFile, RemoteFile, RemoteStore } from './remote-store';

const IMPLICIT_TLS_PORT = 990;
const NOT_THERE: ReadonlySet<number> = new Set([550, 553]);
/** Syntax error, not implemented, not for this parameter: the server does not know the command. */
const NOT_KNOWN: ReadonlySet<number> = new Set([500, 501, 502, 504]);

/**
 * Logs in over an open connection. An ftps connection starts in clear text and switches to TLS by a command, except on
 * port 990, where it starts with TLS.
 * @throws AccessRefused when login or TLS is refused; other errors when the connection fails.
 */
export async function openFtpStore(
  socket: Socket,
  login: RemoteLogin,
  transfer: Transfer,
  address: Pick<RemoteAddress, 'protocol' | 'host' | 'port'>,
): Promise<RemoteStore> {
  const { shown, signal } = transfer;
  // No timeout here, because the session has its own timeouts.
  const client = new Client(0);
  client.prepareTransfer = passiveConnections(signal);
  try {
    await greet(client, socket, address, shown);
    client.ftp.socket.on('data', () => {
      transfer.noteActivity();
    });
    await logIn(client, login, shown);
    await client.useDefaultSettings();
  } catch (error) {
    client.close();
    throw explained(error, shown);
  }
  const explain = (error: unknown): never => {
    throw explained(error, shown);
  };
  return {
    stat: (path) => stat(client, path).catch(explain),
    list: (directory) => list(client, directory).catch(explain),
    read: (path) => read(client, path, shown),
    write: (path, bytes) => client.uploadFrom(bytes, path).then(() => undefined, explain),
    rename: (from, to) => rename(client, from, to).catch(explain),
    close() {
      client.close();
    },
  };
}

async function greet(
  client: Client,
  socket: Socket,
  address: Pick<RemoteAddress, 'protocol' | 'host' | 'port'>,
  shown: string,
): Promise<void> {
  const tls: ConnectionOptions = {
    // Only for checking the certificate: the connection is already open.
    host: address.host,
    ...(/[a-z]/i.test(address.host) && !address.host.includes(':') && { servername: address.host }),
  };
  const isImplicit = address.protocol === 'ftps' && address.port === IMPLICIT_TLS_PORT;
  client.ftp.socket = isImplicit ? await overTls(socket, tls) : socket;
  await client.ftp.handle(undefined, (answer, task) => {
    if (answer instanceof Error) task.reject(answer);
    // 120: the server will be ready soon.
    else if (answer.code >= 200) task.resolve(undefined);
  });
  if (isImplicit) client.ftp.tlsOptions = tls;
  else if (address.protocol === 'ftps') {
    await client.useTLS(tls).catch((error: unknown) => {
      if (!(error instanceof FTPError)) throw error;
      throw new AccessRefused(`${shown} does not offer TLS (${error.code}): is it an ftp: address?`);
    });
  }
}

async function overTls(socket: Socket, options: ConnectionOptions): Promise<TLSSocket> {
  const secured = startTls({ ...options, socket });
  await once(secured, 'secureConnect');
  return secured;
}

async function logIn(client: Client, login: RemoteLogin, shown: string): Promise<void> {
  // Some servers read names as UTF-8 only after this command.
  await client.sendIgnoringError('OPTS UTF8 ON');
  await client.login(login.user ?? 'anonymous', login.password ?? 'anonymous@').catch((error: unknown) => {
    if (!(error instanceof FTPError) || (error.code >= 400 && error.code < 500)) throw error;
    throw new AccessRefused(`${shown} refused the login (${error.code})`);
  });
}

async function stat(client: Client, path: string): Promise<RemoteFile | undefined> {
  try {
    return { sizeBytes: await client.size(path), modifiedMs: await modifiedMsOf(client, path) };
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    if (NOT_THERE.has(error.code)) return undefined;
    if (!NOT_KNOWN.has(error.code)) throw error;
  }
  const cut = path.lastIndexOf('/') + 1;
  const files = await client.list(path.slice(0, cut));
  const file = files.find((listed) => isFile(listed) && listed.name === path.slice(cut));
  // Only the machine-readable listing gives the time in UTC and with seconds.
  return file && { sizeBytes: file.size, modifiedMs: file.modifiedAt?.getTime() };
}

async function modifiedMsOf(client: Client, path: string): Promise<number | undefined> {
  try {
    const modifiedMs = (await client.lastMod(path)).getTime();
    return Number.isNaN(modifiedMs) ? undefined : modifiedMs;
  } catch (error) {
    if (error instanceof FTPError) return undefined;
    throw error;
  }
}

async function list(client: Client, directory: string): Promise<ListedFile[]> {
  const nowMs = Date.now();
  return (await client.list(directory)).filter(isFile).map(({ name, modifiedAt, rawModifiedAt }) => ({
    name,
    modifiedMs: modifiedAt?.getTime() ?? listingDateMs(rawModifiedAt, nowMs),
  }));
}

/** Some servers refuse to rename onto a file that exists. */
async function rename(client: Client, from: string, to: string): Promise<void> {
  try {
    await client.rename(from, to);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    await client.remove(to, true);
    await client.rename(from, to);
  }
}

function isFile(listed: FileInfo): boolean {
  return !listed.isDirectory;
}

async function* read(client: Client, path: string, shown: string): AsyncGenerator<Buffer, void, undefined> {
  const body = new PassThrough();
  const complete = client.downloadTo(body, path);
  complete.catch((error: unknown) => body.destroy(error instanceof Error ? error : undefined));
  try {
    yield* body as AsyncIterable<Buffer>;
    await complete;
  } catch (error) {
    throw explained(error, shown);
  }
}

function explained(error: unknown, shown: string): unknown {
  if (error instanceof FeedError) return error;
  if (error instanceof FTPError) return errorOfAnswer(error, shown);
  const code = errorCode(error);
  if (code === undefined || !/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/.test(code)) return error;
  return new AccessRefused(
    `the TLS certificate of ${shown} is not valid here (${code}); an authority of your own goes into NODE_EXTRA_CA_CERTS`,
    { cause: error },
  );
}

function errorOfAnswer({ code }: FTPError, shown: string): FeedError {
  if (code < 500) return new RetryLater(`${shown} answered ${code}`);
  if (NOT_THERE.has(code)) return new BadFeed(`there is no file ${shown}, or this login may not read it (${code})`);
  if (code >= 530 && code < 540) return new AccessRefused(`${shown} answered ${code}`);
  return new BadFeed(`${shown} answered ${code}`);
}
