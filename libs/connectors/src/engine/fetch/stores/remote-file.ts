import { BadFeed, RetryLater } from '@passerelle/domain';
import type { SourceConfig } from '../../../kit/contracts';
import type { FeedMemory, OutboundPolicy } from '../../contracts';
import { digest } from '../../map/record-hash';
import { waitFor } from '../pages/request-with-retries';
import { openFtpStore } from './ftp-store';
import { openGuardedSocket } from '../address-guard';
import type { Answer, Transfer } from '../http/outbound-session';
import { loginFor, parseRemoteAddress, type RemoteAddress } from './remote-address';
import type { ListedFile, RemoteFile, RemoteStore } from './remote-store';
import {
  changedWhileRead,
  looksFinished,
  SETTLED_AFTER_MS,
  stillBeingWritten,
  UNFINISHED_FACTOR,
} from '../file-completeness';
import { openSftpStore } from './sftp-store';

/**
 * With `*` in the name, fetches the newest match. Name, size and time are the etag; an unchanged file is not fetched.
 * @throws AccessRefused, BadFeed; RetryLater, also while the file is being written; other errors of the connection.
 */
export async function fetchRemoteFile(
  url: string,
  source: SourceConfig,
  previous: Pick<FeedMemory, 'etag' | 'sizeBytes'>,
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
      return await fetchFrom(store, address, previous, settleMs, transfer);
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
  previous: Pick<FeedMemory, 'etag' | 'sizeBytes'>,
  settleMs: number,
  transfer: Transfer,
): Promise<Answer> {
  const { shown, signal, maxBytes } = transfer;
  const path = address.name.includes('*') ? await newestMatch(store, address, transfer) : address.path;
  const file = await found(store, path, transfer);
  const etag = etagOf(path, file);
  if (etag !== undefined && etag === previous.etag) return { kind: 'not-modified' };
  if (file.sizeBytes > maxBytes)
    throw new BadFeed(`${shown} is larger than the ${maxBytes} bytes that this run may still fetch`);
  const settle = async (): Promise<void> => {
    await waitFor(settleMs, signal);
    if (!isSame(file, await found(store, path, transfer))) throw stillBeingWritten(shown);
  };
  // Waits even when the file looks old, because the clocks and time zones of these servers are often wrong.
  await settle();
  const spool = await transfer.spool(store.read(path, file.sizeBytes));
  if (!isSame(file, await found(store, path, transfer))) throw changedWhileRead(shown);
  if (spool.sizeBytes !== file.sizeBytes) {
    throw new RetryLater(`${shown} came with ${spool.sizeBytes} of its ${file.sizeBytes} bytes`);
  }
  if (!(await looksFinished(spool, previous.sizeBytes))) {
    for (let waits = 1; waits < UNFINISHED_FACTOR; waits += 1) await settle();
  }
  return { kind: 'document', spool, etag, lastModified: undefined };
}

async function newestMatch(store: RemoteStore, address: RemoteAddress, transfer: Transfer): Promise<string> {
  const files = await store.list(address.directory);
  transfer.noteActivity();
  const pattern = new RegExp(`^${address.name.split('*').map(escaped).join('.*')}$`, 's');
  let newest: ListedFile | undefined;
  for (const file of files) {
    if (pattern.test(file.name) && (newest === undefined || isNewer(file, newest))) newest = file;
  }
  if (newest === undefined) throw new BadFeed(`no file matches ${transfer.shown}`);
  return address.directory + newest.name;
}

/** Files with the same time are compared by name, which often contains a date or a number. */
function isNewer(file: ListedFile, other: ListedFile): boolean {
  return file.modifiedMs > other.modifiedMs || (file.modifiedMs === other.modifiedMs && file.name > other.name);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

async function found(store: RemoteStore, path: string, transfer: Transfer): Promise<RemoteFile> {
  const file = await store.stat(path);
  transfer.noteActivity();
  if (file === undefined) throw new BadFeed(`there is no file ${transfer.shown}, or this login does not see it`);
  return file;
}

/** The etag of a file; undefined without a time, because two files of the same size could not be distinguished. */
function etagOf(path: string, { sizeBytes, modifiedMs }: RemoteFile): string | undefined {
  return modifiedMs === undefined ? undefined : digest(JSON.stringify([path, sizeBytes, modifiedMs]));
}

function isSame(file: RemoteFile, other: RemoteFile): boolean {
  return file.sizeBytes === other.sizeBytes && file.modifiedMs === other.modifiedMs;
}
