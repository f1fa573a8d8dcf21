import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { FeedMemory } from '../contracts';
import { openInboxFile, type InboxAnswer } from './inbox-file';

let root: string;
let inbox: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'inbox-spec-')));
  inbox = join(root, 'inbox');
  mkdirSync(join(inbox, 'sub'), { recursive: true });
  writeFileSync(join(root, 'outside.csv'), 'outside');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function drop(name: string, content: string, ageMs = 60_000): string {
  const path = join(inbox, name);
  writeFileSync(path, content);
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(path, time, time);
  return path;
}

const SETTLE_MS = 400;

function openFile(url: string, maxBytes = 1000, previous: FeedMemory = {}, inboxDir = inbox): Promise<InboxAnswer> {
  return openInboxFile(url, { inboxDir, maxBytes, settleMs: SETTLE_MS }, previous, new AbortController().signal);
}

/** Runs `look` while a writer appends a line every `stepMs`. */
async function whileItGrows(path: string, stepMs: number, look: () => Promise<void>): Promise<void> {
  const growing = setInterval(() => {
    appendFileSync(path, 'more\n');
  }, stepMs);
  await look().finally(() => {
    clearInterval(growing);
  });
}

async function contentOf(answer: InboxAnswer): Promise<string> {
  if (answer.kind !== 'file') throw new Error('not modified');
  const chunks: Buffer[] = [];
  for await (const chunk of answer.spool.open()) chunks.push(Buffer.from(chunk));
  await answer.spool.close();
  return Buffer.concat(chunks).toString();
}

describe('a file in the inbox', () => {
  it('is found by name, by path, and by absolute path', async () => {
    const path = drop('été 1.csv', 'hello');
    drop('sub/b.csv', 'below');
    expect(await contentOf(await openFile('file:été 1.csv'))).toBe('hello');
    expect(await contentOf(await openFile('file:%C3%A9t%C3%A9%201.csv'))).toBe('hello');
    expect(await contentOf(await openFile(`file://${encodeURI(path)}`))).toBe('hello');
    expect(await contentOf(await openFile(`file:${path}`))).toBe('hello');
    expect(await contentOf(await openFile('file:sub/b.csv'))).toBe('below');
  });

  it('is found through an inbox that is itself a link', async () => {
    drop('a.csv', 'hello');
    symlinkSync(inbox, join(root, 'link'));
    expect(await contentOf(await openFile('file:a.csv', 1000, {}, join(root, 'link')))).toBe('hello');
    const byPath = await openFile(`file://${join(root, 'link', 'a.csv')}`, 1000, {}, join(root, 'link'));
    expect(await contentOf(byPath)).toBe('hello');
  });

  it('is not read again while its time and size are unchanged', async () => {
    drop('a.csv', 'hello');
    const first = await openFile('file:a.csv');
    if (first.kind !== 'file') throw new Error('not modified');
    await first.spool.close();
    expect(await openFile('file:a.csv', 1000, { etag: first.etag })).toEqual({ kind: 'not-modified' });
    drop('a.csv', 'hello!');
    const second = await openFile('file:a.csv', 1000, { etag: first.etag });
    expect(await contentOf(second)).toBe('hello!');
  });

  it.each([
    'file:../outside.csv',
    'file:sub/../../outside.csv',
    'file:%2e%2e/outside.csv',
    'file:///etc/passwd',
    'file:link.csv',
    'file:linked/outside.csv',
    'file:',
    'file:.',
    'file://host/share',
    'file:a%00b',
    'file:%',
  ])('is refused when it is outside the inbox: %s', async (url) => {
    symlinkSync(join(root, 'outside.csv'), join(inbox, 'link.csv'));
    symlinkSync(root, join(inbox, 'linked'));
    await expect(openFile(url)).rejects.toThrow(AccessRefused);
  });

  it('is refused when it is missing, is not a file, or is too large', async () => {
    drop('a.csv', 'hello');
    await expect(openFile('file:b.csv')).rejects.toThrow(new BadFeed('file:b.csv is not in the inbox'));
    await expect(openFile('file:sub')).rejects.toThrow(new BadFeed('file:sub is not a file'));
    await expect(openFile('file:a.csv', 4)).rejects.toThrow(BadFeed);
    await expect(openFile('file:a.csv', 4, undefined, join(root, 'no-inbox'))).rejects.toThrow(AccessRefused);
  });

  it.each([100, SETTLE_MS * 0.75])('is not read while it grows every %i ms', async (stepMs) => {
    const path = drop('a.csv', 'hello', 0);
    await whileItGrows(path, stepMs, async () => {
      await expect(openFile('file:a.csv')).rejects.toThrow(new RetryLater('file:a.csv is still being written'));
      await expect(openFile('file:a.csv')).rejects.toThrow(RetryLater);
    });
  });

  it('is read only after five seconds without a change, by default', async () => {
    const path = drop('a.csv', 'hello', 4500);
    const policy = { inboxDir: inbox, maxBytes: 1000 };
    await whileItGrows(path, 300, async () => {
      await expect(openInboxFile('file:a.csv', policy, {}, new AbortController().signal)).rejects.toThrow(RetryLater);
    });
  });

  it.each<[string, string, FeedMemory]>([
    ['an unclosed element', '<list><item>1</item>', {}],
    ['an archive without a directory', 'PK\u0003\u0004…', {}],
    ['a document without an end mark', '#HEADER#\nVersion : 3\n#DATA#\na^~\n', {}],
    ['far fewer lines than in the previous file', 'a;b\n', { sizeBytes: 100 }],
    ['creating an empty file', '', {}],
  ])('is not read while its writer pauses after %s', async (_what, half, previous) => {
    const path = drop('feed', half, SETTLE_MS * 2);
    const reading = openFile('file:feed', 1000, previous);
    const resuming = setTimeout(() => {
      appendFileSync(path, 'the rest');
    }, SETTLE_MS);
    await expect(reading).rejects.toThrow(new RetryLater('file:feed is still being written'));
    clearTimeout(resuming);
  });

  it('is read even if it looks unfinished when its last change was long enough ago', async () => {
    drop('feed', '<list><item>1</item>', SETTLE_MS * 5);
    expect(await contentOf(await openFile('file:feed'))).toBe('<list><item>1</item>');
  });

  it('delays the run only until it is old enough, even when its time is in the future', async () => {
    const { signal } = new AbortController();
    for (const [ageMs, settleMs, leastMs] of [
      [31_000, 30_000, 0],
      [29_800, 30_000, 150],
      [-60_000, 200, 150],
    ] as const) {
      const startedMs = performance.now();
      drop('a.csv', 'hello', ageMs);
      const answer = await openInboxFile('file:a.csv', { inboxDir: inbox, maxBytes: 9, settleMs }, {}, signal);
      expect(performance.now() - startedMs).toBeGreaterThan(leastMs);
      expect(await contentOf(answer)).toBe('hello');
    }
  });

  it('stops delaying the run when the run is aborted', async () => {
    drop('a.csv', 'hello', 0);
    const signal = AbortSignal.timeout(50);
    const policy = { inboxDir: inbox, maxBytes: 1000 };
    const error: unknown = await openInboxFile('file:a.csv', policy, {}, signal).catch((thrown: unknown) => thrown);
    expect(error).toBe(signal.reason);
  });

  it('is read after a short wait when it is new and does not grow', async () => {
    drop('a.csv', 'hello', 0);
    expect(await contentOf(await openFile('file:a.csv'))).toBe('hello');
  });

  it('is rejected when its time changes before its first byte is returned', async () => {
    const path = drop('a.csv', 'hello');
    truncateSync(path, 50_000_000);
    let seconds = 1;
    // An old time, so that the file counts as complete.
    utimesSync(path, seconds, seconds);
    const touching = setInterval(() => {
      seconds += 1;
      utimesSync(path, seconds, seconds);
    }, 1);
    try {
      await expect(openFile('file:a.csv', 50_000_000)).rejects.toThrow(
        new RetryLater('file:a.csv changed while it was read'),
      );
    } finally {
      clearInterval(touching);
    }
  });

  it('is rejected when it changes during a full or a partial read', async () => {
    const path = drop('a.csv', 'hello');
    const answer = await openFile('file:a.csv');
    if (answer.kind !== 'file') throw new Error('not modified');
    expect((await answer.spool.read(1, 3)).toString()).toBe('ell');
    appendFileSync(path, 'more');
    await expect(answer.spool.read(1, 3)).rejects.toThrow(RetryLater);
    await expect(contentOf(answer)).rejects.toThrow(RetryLater);
    await answer.spool.close();
  });
});
