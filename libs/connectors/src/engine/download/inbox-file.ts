import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import { maskUrl } from './mask-url';
import { fingerprintOf, spoolInFile, type Spool } from './spool';

/** Younger files may still be growing. */
const SETTLED_AFTER_MS = 2000;
const SETTLE_CHECK_MS = 500;

export type InboxAnswer = { kind: 'not-modified' } | { kind: 'file'; spool: Spool; etag: string };

/**
 * Opens a file that a CRM dropped: `file:name.zip` below the inbox, or `file:///…` for an absolute path that must lead
 * there too. Its time and size serve as its etag.
 *
 * @throws AccessRefused when the address leads out of the inbox; BadFeed when there is no such file, or it is larger
 * than `maxBytes`; RetryLater while it is still being written.
 */
export async function openInboxFile(
  url: string,
  inboxDir: string,
  maxBytes: number,
  previousEtag: string | undefined,
  signal: AbortSignal,
): Promise<InboxAnswer> {
  const shown = maskUrl(url);
  const path = await pathInInbox(url, inboxDir, shown);
  // Without blocking: a named pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw new BadFeed(`${shown} is not a file`);
    if (before.size > BigInt(maxBytes)) throw new BadFeed(`${shown} is larger than ${maxBytes} bytes`);
    await waitUntilSettled(file, shown, signal);
    const etag = await etagOf(file);
    if (etag === previousEtag) {
      await file.close();
      return { kind: 'not-modified' };
    }
    const { sizeBytes, fingerprint } = await fingerprintOf(file, signal);
    const spool = spoolInFile(file, sizeBytes, fingerprint);
    return { kind: 'file', spool: { ...spool, open: () => readUnchanged(spool, file, etag, shown) }, etag };
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
  // Before anything outside is touched: what exists there is nobody's business.
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
    // Not a path: the same answer as for an empty one.
  }
  throw new AccessRefused(`${shown} is not the address of a file in the inbox`);
}

async function waitUntilSettled(file: FileHandle, shown: string, signal: AbortSignal): Promise<void> {
  const first = await file.stat();
  if (Date.now() - first.mtimeMs >= SETTLED_AFTER_MS) return;
  await sleep(SETTLE_CHECK_MS, undefined, { signal });
  const second = await file.stat();
  if (second.size !== first.size || second.mtimeMs !== first.mtimeMs) {
    throw new RetryLater(`${shown} is still being written`, SETTLED_AFTER_MS);
  }
}

async function etagOf(file: FileHandle): Promise<string> {
  const { mtimeNs, size, ino } = await file.stat({ bigint: true });
  return `${mtimeNs.toString(36)}-${size.toString(36)}-${ino.toString(36)}`;
}

/** A file that changes between the fingerprint and the end of the reading was read as nobody wrote it. */
async function* readUnchanged(
  spool: Spool,
  file: FileHandle,
  etag: string,
  shown: string,
): AsyncGenerator<Buffer, void, undefined> {
  yield* spool.open();
  if ((await etagOf(file)) !== etag) throw new RetryLater(`${shown} changed while it was read`);
}
