import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { AccessRefused, BadFeed, trimEndOf } from '@passerelle/domain';
import { Client, type SFTPWrapper, utils } from 'ssh2';
import type { Transfer } from '../http/outbound-session';
import type { RemoteLogin } from './remote-address';
import type { ListedFile, RemoteFile, RemoteStore } from './remote-store';

/** Every server must support reads of this size. */
const READ_BYTES = 32 * 1024;
/** 1 MiB in flight, so that a distant server sends without pause. */
const READS_IN_FLIGHT = 32;

const { NO_SUCH_FILE, PERMISSION_DENIED } = utils.sftp.STATUS_CODE;

/** @throws AccessRefused for a refused login or an unexpected host key; other errors when the connection fails. */
export async function openSftpStore(socket: Socket, login: RemoteLogin, transfer: Transfer): Promise<RemoteStore> {
  const { shown } = transfer;
  const client = new Client();
  try {
    await logIn(client, socket, login, shown);
    transfer.noteActivity();
    const sftp = await promisify(client.sftp.bind(client) as SubsystemStart)();
    transfer.noteActivity();
    return {
      stat: (path) => stat(sftp, path, shown),
      list: (directory) => list(sftp, directory, shown),
      read: (path, sizeBytes) => read(sftp, path, sizeBytes),
      write: (path, bytes) => write(sftp, path, bytes, shown),
      rename: (from, to) => rename(sftp, from, to, shown),
      close() {
        client.end();
      },
    };
  } catch (error) {
    client.end();
    throw error;
  }
}

type SubsystemStart = (callback: (error: Error | undefined | null, sftp: SFTPWrapper) => void) => void;

async function logIn(client: Client, socket: Socket, login: RemoteLogin, shown: string): Promise<void> {
  const { user, password, privateKey, passphrase, hostKey } = login;
  if (user === undefined) throw new AccessRefused(`${shown} needs the credential "username"`);
  if (privateKey !== undefined) assertReadable(privateKey, passphrase);
  let shownKey: string | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    client.on('ready', resolve);
    // The listener stays after the login, because an error without a listener would end the process.
    client.on('error', reject);
    client.on('close', () => {
      reject(new Error('the server closed the connection'));
    });
  });
  // Some servers ask for the password interactively.
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) => {
    answer(prompts.map(({ echo }) => (echo === true ? '' : (password ?? ''))));
  });
  client.connect({
    sock: socket,
    username: user,
    ...(password !== undefined && { password, tryKeyboard: true }),
    ...(privateKey !== undefined && { privateKey }),
    ...(passphrase !== undefined && { passphrase }),
    // No timeout here, because the session has its own timeouts.
    readyTimeout: 0,
    hostVerifier: (key: Buffer) => {
      shownKey = trimEndOf(createHash('sha256').update(key).digest('base64'), '=');
      return hostKey === undefined || shownKey === hostKey;
    },
  });
  await ready.catch((error: unknown) => {
    throw refusalOf(error, hostKey, shownKey, shown) ?? error;
  });
}

/** @throws AccessRefused */
function assertReadable(privateKey: string, passphrase: string | undefined): void {
  if (!(utils.parseKey(privateKey, passphrase) instanceof Error)) return;
  throw new AccessRefused(
    'the credential "private-key" cannot be read: is it whole, and is "passphrase" the right one?',
  );
}

function refusalOf(
  error: unknown,
  hostKey: string | undefined,
  shownKey: string | undefined,
  shown: string,
): AccessRefused | undefined {
  if (hostKey !== undefined && shownKey !== undefined && shownKey !== hostKey) {
    return new AccessRefused(`${shown} shows the host key SHA256:${shownKey}, which is not the one in "host-key"`);
  }
  if (!(error instanceof Error)) return undefined;
  if ('level' in error && error.level === 'client-authentication') {
    return new AccessRefused(`${shown} refused the login`, { cause: error });
  }
  if (/no matching/.test(error.message)) {
    return new AccessRefused(`${shown} offers no encryption that is safe`, { cause: error });
  }
  return undefined;
}

async function stat(sftp: SFTPWrapper, path: string, shown: string): Promise<RemoteFile | undefined> {
  try {
    const attributes = await promisify(sftp.stat.bind(sftp))(path);
    if (attributes.isDirectory()) throw new BadFeed(`${shown} is not a file`);
    return { sizeBytes: attributes.size, modifiedMs: attributes.mtime * 1000 };
  } catch (error) {
    if (isStatus(error, NO_SUCH_FILE)) return undefined;
    throw explained(error, shown);
  }
}

async function list(sftp: SFTPWrapper, directory: string, shown: string): Promise<ListedFile[]> {
  try {
    const entries = await promisify(sftp.readdir.bind(sftp))(directory === '' ? '.' : directory);
    return entries
      .filter(({ attrs }) => !attrs.isDirectory())
      .map(({ filename, attrs }) => ({ name: filename, modifiedMs: attrs.mtime * 1000 }));
  } catch (error) {
    if (isStatus(error, NO_SUCH_FILE)) throw new BadFeed(`there is no directory of ${shown}`);
    throw explained(error, shown);
  }
}

async function* read(sftp: SFTPWrapper, path: string, sizeBytes: number): AsyncGenerator<Buffer, void, undefined> {
  const handle = await new Promise<Buffer>((resolve, reject) => {
    sftp.open(path, 'r', (error, opened) => {
      if (error) reject(error);
      else resolve(opened);
    });
  });
  const inFlight: Promise<Buffer>[] = [];
  try {
    for (let asked = 0; ;) {
      for (; inFlight.length < READS_IN_FLIGHT && asked < sizeBytes; asked += READ_BYTES) {
        const piece = readPiece(sftp, handle, asked, Math.min(READ_BYTES, sizeBytes - asked));
        // A failure is reported when this piece is awaited.
        piece.catch(() => undefined);
        inFlight.push(piece);
      }
      const next = inFlight.shift();
      if (next === undefined) return;
      const bytes = await next;
      if (bytes.length > 0) yield bytes;
    }
  } finally {
    sftp.close(handle, () => undefined);
  }
}

/** Servers may answer with fewer bytes than requested; none means the end of the file. */
async function readPiece(sftp: SFTPWrapper, handle: Buffer, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const given = await new Promise<number>((resolve, reject) => {
      sftp.read(handle, bytes, filled, length - filled, position + filled, (error, bytesRead) => {
        if (error) reject(error);
        else resolve(bytesRead);
      });
    });
    if (given === 0) break;
    filled += given;
  }
  return bytes.subarray(0, filled);
}

async function write(sftp: SFTPWrapper, path: string, bytes: Readable, shown: string): Promise<void> {
  try {
    await pipeline(bytes, sftp.createWriteStream(path));
  } catch (error) {
    throw explained(error, shown);
  }
}

/** The protocol's own rename refuses a name that exists, and many servers lack OpenSSH's. */
async function rename(sftp: SFTPWrapper, from: string, to: string, shown: string): Promise<void> {
  try {
    await promisify(sftp.ext_openssh_rename.bind(sftp))(from, to);
  } catch {
    await promisify(sftp.unlink.bind(sftp))(to).catch(() => undefined);
    await promisify(sftp.rename.bind(sftp))(from, to).catch((error: unknown) => {
      throw explained(error, shown);
    });
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'code' in error && error.code === status;
}

function explained(error: unknown, shown: string): unknown {
  return isStatus(error, PERMISSION_DENIED) ? new AccessRefused(`this login may not read ${shown}`) : error;
}
