import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AccessRefused, FeedError, maskUrl, RetryLater } from '@passerelle/domain';
import type { SourceConfig } from '../../../kit/contracts';
import { errorCode } from '../../error-code';
import { openGuardedSocket, PrivateAddress } from '../address-guard';
import { openFtpStore } from './ftp-store';
import { loginFor, parseRemoteAddress } from './remote-address';
import { openSftpStore } from './sftp-store';

/** A file of this machine, and the name that it gets in the directory of the address. */
export interface UploadedFile {
  path: string;
  name: string;
}

/**
 * Uploads a file by FTP, FTPS or SFTP under a temporary name, and renames it when all its bytes are there.
 * @param directory its address, such as `sftp://host/drop`
 * @param access credentials `username`, `password`, `private-key`, `passphrase`, and the setting `host-key`
 * @throws AccessRefused, BadFeed; RetryLater when the connection fails; the signal's reason
 */
export async function uploadFile(
  directory: string,
  access: Pick<SourceConfig, 'credentials' | 'settings'>,
  { path, name }: UploadedFile,
  allowPrivate: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const shown = maskUrl(directory);
  const address = parseRemoteAddress(`${directory.replace(/\/$/, '')}/${encodeURIComponent(name)}`, shown);
  const login = loginFor(address, { ...access, url: directory }, shown);
  const { size } = await stat(path);
  try {
    const socket = await openGuardedSocket(address.host, address.port, allowPrivate, signal);
    try {
      const transfer = { signal, shown, maxBytes: 0, noteActivity: () => undefined, spool: noSpool };
      const openStore = address.protocol === 'sftp' ? openSftpStore : openFtpStore;
      const store = await openStore(socket, login, transfer, address);
      try {
        const temporary = `${address.directory}${name}.part`;
        await store.write(temporary, createReadStream(path));
        const arrived = await store.stat(temporary);
        if (arrived !== undefined && arrived.sizeBytes !== size)
          throw new RetryLater(`${shown} has ${arrived.sizeBytes} of the ${size} bytes`);
        await store.rename(temporary, address.path);
      } finally {
        store.close();
      }
    } finally {
      socket.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FeedError) throw error;
    if (error instanceof PrivateAddress)
      throw new AccessRefused(`${shown} is not a public address, and ALLOW_PRIVATE_SOURCES does not name it`, {
        cause: error,
      });
    throw new RetryLater(`${shown} does not answer (${errorCode(error) ?? 'no reason given'})`, undefined, {
      cause: error,
    });
  }
}

function noSpool(): never {
  throw new Error('an upload reads nothing');
}
