import { type BigIntStats, constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AccessRefused, BadFeed, maskUrl, type RetryLater } from '@passerelle/domain';
import type { FeedMemory, OutboundPolicy } from '../contracts';
import { waitFor } from './pages/request-with-retries';
import {
  changedWhileRead,
  looksFinished,
  SETTLED_AFTER_MS,
  stillBeingWritten,
  UNFINISHED_FACTOR,
} from './file-completeness';
import { spoolInRange, spoolOfFile, type Spool } from './spool';

export type InboxAnswer = { kind: 'not-modified' } | { kind: 'file'; spool: Spool; etag: string };

/**
 * Opens a file that a CRM has put into the inbox. `url` is `file:name.zip`, relative to the inbox, or `file:///…`, an
 * absolute path into the inbox. The etag consists of the file's time, size and inode. Waits until a new file has not
 * changed for some time, and longer if it does not look finished.
 * @param onSize called with the size of the file before it is read, and awaited.
 * @throws AccessRefused when the address leads out of the inbox; BadFeed when there is no such file, or it is larger
 * than `maxBytes`; RetryLater while it is still being written
 */
export async function openInboxFile(
  url: string,
  { inboxDir, maxBytes, settleMs = SETTLED_AFTER_MS }: Pick<OutboundPolicy, 'inboxDir' | 'maxBytes' | 'settleMs'>,
  previous: Pick<FeedMemory, 'etag' | 'sizeBytes'>,
  signal: AbortSignal,
  onSize: (bytes: number) => Promise<void> | void = () => undefined,
): Promise<InboxAnswer> {
  const shown = maskUrl(url);
  const path = await pathInInbox(url, inboxDir, shown);
  // Non-blocking: opening a named pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw new BadFeed(`${shown} is not a file`);
    if (before.size > BigInt(maxBytes)) throw new BadFeed(`${shown} is larger than ${maxBytes} bytes`);
    const etag = etagOf(before);
    if (etag === previous.etag) {
      await file.close();
      return { kind: 'not-modified' };
    }
    const assertSettled = (): Promise<void> => assertUnchanged(file, etag, () => stillBeingWritten(shown));
    const bytes = spoolInRange(file, 0, Number(before.size), '');
    const isFinished = await looksFinished(bytes, previous.sizeBytes);
    const settledAtMs = Date.now() - ageMs(before) + settleMs * (isFinished ? 1 : UNFINISHED_FACTOR);
    for (let leftMs = settledAtMs - Date.now(); leftMs > 0; leftMs = settledAtMs - Date.now()) {
      await waitFor(Math.min(leftMs, settleMs), signal);
      await assertSettled();
    }
    const assertReadWhole = (): Promise<void> => assertUnchanged(file, etag, () => changedWhileRead(shown));
    await onSize(Number(before.size));
    const spool = await spoolOfFile(file, signal);
    await assertReadWhole();
    return { kind: 'file', spool: watched(spool, assertReadWhole), etag };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function pathInInbox(url: string, inboxDir: string, shown: string): Promise<string> {
  const inbox = await realpath(inboxDir).catch(() => {
    throw new AccessRefused('the inbox directory does not exist');
  });
  const wanted = resolve(inbox, localPath(url, shown));
  // Checked before any access outside the inbox: an error must not reveal which files exist there.
  const isBelow = (path: string): boolean => path.startsWith(inbox + sep);
  if (!isBelow(wanted) && !wanted.startsWith(resolve(inboxDir) + sep)) throw leavesInbox(shown);
  const real = await realpath(wanted).catch(() => {
    throw new BadFeed(`${shown} is not in the inbox`);
  });
  if (!isBelow(real)) throw leavesInbox(shown);
  return real;
}

function leavesInbox(shown: string): AccessRefused {
  return new AccessRefused(`${shown} leads out of the inbox`);
}

function localPath(url: string, shown: string): string {
  const rest = url.slice('file:'.length);
  try {
    const path = rest.startsWith('//') ? fileURLToPath(url) : decodeURIComponent(rest);
    if (path !== '' && !path.includes('\0') && (isAbsolute(path) || !rest.startsWith('/'))) return path;
  } catch {
    // Invalid paths cause the same error as an empty path.
  }
  throw new AccessRefused(`${shown} is not the address of a file in the inbox`);
}

/**
 * The age of the file; 0 when another machine's clock has set a time in the future, so that the file counts as just
 * written.
 */
function ageMs({ mtimeMs }: BigIntStats): number {
  return Math.max(0, Date.now() - Number(mtimeMs));
}

function etagOf({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs.toString(36)}-${size.toString(36)}-${ino.toString(36)}`;
}

async function assertUnchanged(file: FileHandle, etag: string, changed: () => RetryLater): Promise<void> {
  if (etagOf(await file.stat({ bigint: true })) !== etag) throw changed();
}

/** Checks after each read that the file has not changed since its fingerprint was computed. */
function watched(spool: Spool, assertReadWhole: () => Promise<void>): Spool {
  return {
    ...spool,
    async *open() {
      yield* spool.open();
      await assertReadWhole();
    },
    async read(offset, length) {
      const bytes = await spool.read(offset, length);
      await assertReadWhole();
      return bytes;
    },
  };
}
