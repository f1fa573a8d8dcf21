import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Spool, spoolOfFile, writeAll } from './spool';

let directory: string;
let spools: Spool[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'spool-spec-'));
  spools = [];
});

afterEach(async () => {
  for (const spool of spools) await spool.close();
  rmSync(directory, { recursive: true });
});

const BYTES = 1_500_000;

/** The spool of a file that repeats one letter. */
async function spoolOf(letter: string, signal = new AbortController().signal): Promise<Spool> {
  const path = join(directory, letter);
  writeFileSync(path, letter.repeat(BYTES));
  const file = await open(path);
  const spool = await spoolOfFile(file, signal).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  spools.push(spool);
  return spool;
}

interface Taken {
  text: string;
  memory: Set<ArrayBufferLike>;
}

async function readAll(chunks: AsyncIterable<Buffer>): Promise<Taken> {
  const taken: Taken = { text: '', memory: new Set() };
  for await (const chunk of chunks) {
    taken.text += chunk.toString();
    taken.memory.add(chunk.buffer);
  }
  return taken;
}

describe('spool of an existing file', () => {
  it('knows its size and fingerprint, and can be read any number of times', async () => {
    const spool = await spoolOf('a');
    expect([spool.sizeBytes, spool.fingerprint]).toEqual([BYTES, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect((await spoolOf('b')).fingerprint).not.toBe(spool.fingerprint);
    for (const chunks of [spool.open(), spool.open()]) expect((await readAll(chunks)).text).toBe('a'.repeat(BYTES));
    expect((await spool.read(BYTES - 2, 10)).toString()).toBe('aa');
  });

  it('reuses the buffers of the previous spool after that one is closed', async () => {
    const first = await spoolOf('a');
    const { memory } = await readAll(first.open());
    await first.close();
    const second = await readAll((await spoolOf('b')).open());
    expect([second.text, second.memory]).toEqual(['b'.repeat(BYTES), memory]);
  });

  it('uses separate buffers for each open file and each simultaneous reading', async () => {
    const [first, second] = [await spoolOf('a'), await spoolOf('b')];
    const readings = await Promise.all([first, second, first].map((spool) => readAll(spool.open())));
    expect(readings.map(({ text }) => text)).toEqual(['a', 'b', 'a'].map((letter) => letter.repeat(BYTES)));
    expect(new Set(readings.flatMap(({ memory }) => [...memory])).size).toBe(9);
  });

  it('releases its buffers only once when it is closed twice', async () => {
    const first = await spoolOf('a');
    await first.close();
    await first.close();
    const others = [await spoolOf('b'), await spoolOf('c')];
    const readings = await Promise.all(others.map((spool) => readAll(spool.open())));
    expect(readings.map(({ text }) => text)).toEqual(['b', 'c'].map((letter) => letter.repeat(BYTES)));
    expect(new Set(readings.flatMap(({ memory }) => [...memory])).size).toBe(6);
  });

  it('does not overwrite the next file when it is closed in the middle of a read', async () => {
    const first = await spoolOf('a');
    const chunks = first.open()[Symbol.asyncIterator]();
    await chunks.next();
    const closing = first.close();
    const asking = readAll({ [Symbol.asyncIterator]: () => chunks }).catch(() => undefined);
    await closing;
    const second = await spoolOf('b');
    const reading = await readAll(second.open());
    await asking;
    expect(reading.text).toBe('b'.repeat(BYTES));
  });

  it('overwrites its buffer when it is closed, in tests', async () => {
    const spool = await spoolOf('a');
    const chunks = spool.open()[Symbol.asyncIterator]();
    const { value: chunk } = (await chunks.next()) as IteratorYieldResult<Buffer>;
    await chunks.return?.();
    await spool.close();
    expect(new Set(chunk)).toEqual(new Set([0xff]));
  });

  it('fails with the reason of the abort when its signal is aborted', async () => {
    const unwanted = new AbortController();
    unwanted.abort(new Error('stopped'));
    await expect(spoolOf('a', unwanted.signal)).rejects.toThrow('stopped');
  });
});

describe('writeAll', () => {
  it('continues when the system writes fewer bytes than requested', async () => {
    const written: Buffer[] = [];
    const take = (bytes: Buffer, most: number): { bytesWritten: number } => {
      written.push(Buffer.from(bytes.subarray(0, most)));
      return { bytesWritten: Math.min(most, bytes.length) };
    };
    // A fake file, because a real file system writes fewer bytes only when it is full.
    const file = {
      writev: (pieces: Buffer[]) => Promise.resolve(take(Buffer.concat(pieces), 4)),
      write: (bytes: Buffer, at: number) => Promise.resolve(take(bytes.subarray(at), 3)),
    } as unknown as FileHandle;
    await writeAll(
      file,
      ['abc', '', 'defgh', 'ij'].map((text) => Buffer.from(text)),
    );
    expect(Buffer.concat(written).toString()).toBe('abcdefghij');
  });
});
