import { setTimeout as sleep } from 'node:timers/promises';
import { BadFeed, RetryLater } from '@passerelle/domain';
import type { OutboundPolicy, SourceConfig } from '../../kit/contracts';
import { digest } from '../recipe';
import { openFtpStore } from './ftp-store';
import { openGuardedSocket } from './guarded-socket';
import type { Answer, Transfer } from './outbound-session';
import { parseRemoteAddress, type RemoteAddress } from './remote-address';
import { loginFor } from './remote-login';
import type { ListedFile, RemoteFile, RemoteStore } from './remote-store';
import { SETTLED_AFTER_MS, stillBeingWritten, changedWhileRead } from './settling';
import { openSftpStore } from './sftp-store';

/**
 * Fetches a file of an ftp, ftps or sftp server, or the newest of those that match when its name holds a `*`. Name, size
 * and time serve as its etag: a file that has all three of last time is not fetched.
 *
 * @throws AccessRefused, BadFeed; RetryLater also while the file is being written. Other errors mean that the connection
 * failed.
 */
export async function fetchRemoteFile(
  url: string,
  source: SourceConfig,
  previousEtag: string | undefined,
  { allowPrivate, settleMs = SETTLED_AFTER_MS }: Pick<OutboundPolicy, 'allowPrivate' | 'settleMs'>,
  transfer: Transfer,
): Promise<Answer> {
  const { shown, signal } = transfer;
  const address = parseRemoteAddress(url, shown);
  const login = loginFor(address, source, shown);
  const socket = await openGuardedSocket(address.host, address.port, allowPrivate, signal);
  try {
    const openStore = address.protocol === 'sftp' ? openSftpStore : openFtpStore;
    const store = await openStore(socket, login, transfer, address);
    try {
      return await fetchFrom(store, address, previousEtag, settleMs, transfer);
    } finally {
      store.close();
    }
  } finally {
    socket.destroy();
  }
}

async function fetchFrom(
  store: RemoteStore,
  address: RemoteAddress,
  previousEtag: string | undefined,
  settleMs: number,
  transfer: Transfer,
): Promise<Answer> {
  const { shown, signal, maxBytes } = transfer;
  const path = address.name.includes('*') ? await newestMatch(store, address, transfer) : address.path;
  const file = await found(store, path, transfer);
  const etag = etagOf(path, file);
  if (etag !== undefined && etag === previousEtag) return { kind: 'not-modified' };
  if (file.sizeBytes > maxBytes) throw new BadFeed(`${shown} is larger than the ${maxBytes} bytes that are left to it`);
  // Not only when the file is young: the clocks and time zones of these servers are often wrong.
  await sleep(settleMs, undefined, { signal });
  if (!isSame(file, await found(store, path, transfer))) {
    throw stillBeingWritten(shown);
  }
  const spool = await transfer.spool(store.read(path, file.sizeBytes));
  if (!isSame(file, await found(store, path, transfer))) {
    throw changedWhileRead(shown);
  }
  if (spool.sizeBytes !== file.sizeBytes) {
    throw new RetryLater(`${shown} came with ${spool.sizeBytes} of its ${file.sizeBytes} bytes`);
  }
  return { kind: 'document', spool, etag, lastModified: undefined };
}

async function newestMatch(store: RemoteStore, address: RemoteAddress, transfer: Transfer): Promise<string> {
  const files = await store.list(address.directory);
  transfer.sign();
  const pattern = new RegExp(`^${address.name.split('*').map(escaped).join('.*')}$`, 's');
  let newest: ListedFile | undefined;
  for (const file of files) {
    if (pattern.test(file.name) && (newest === undefined || isNewer(file, newest))) newest = file;
  }
  if (newest === undefined) throw new BadFeed(`no file is there that matches ${transfer.shown}`);
  return address.directory + newest.name;
}

/** Names decide between equal times: they often hold a date or a number. */
function isNewer(file: ListedFile, other: ListedFile): boolean {
  return file.modifiedMs > other.modifiedMs || (file.modifiedMs === other.modifiedMs && file.name > other.name);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

async function found(store: RemoteStore, path: string, transfer: Transfer): Promise<RemoteFile> {
  const file = await store.look(path);
  transfer.sign();
  if (file === undefined) throw new BadFeed(`there is no file ${transfer.shown}, or this login does not see it`);
  return file;
}

/** Without a time two files of one size could not be told apart. */
function etagOf(path: string, { sizeBytes, modifiedMs }: RemoteFile): string | undefined {
  return modifiedMs === undefined ? undefined : digest(JSON.stringify([path, sizeBytes, modifiedMs]));
}

function isSame(file: RemoteFile, other: RemoteFile): boolean {
  return file.sizeBytes === other.sizeBytes && file.modifiedMs === other.modifiedMs;
}
