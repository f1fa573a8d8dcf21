import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore } from '../../../clients/typescript/src/file-store';

const DONE = { snapshot: 'token', etag: 'W/"etag"' };
const known = (empreinte: string): { empreinte: string; photos: string } => ({ empreinte, photos: 'ab'.repeat(8) });

// Real: the file system.
describe('file store of clients/typescript', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-store-'));
    file = join(folder, 'state.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The content as another process reads it. */
  async function reopened(): Promise<{ known: [string, object][]; done: unknown }> {
    const store = await openFileStore(file);
    const found = { known: [...(await store.known())], done: await store.done() };
    await store.close();
    return found;
  }

  it('keeps noted listings and the last run, and drops forgotten listings', async () => {
    const store = await openFileStore(file);
    await store.note('a "b"\n', known('1'));
    await store.note('c', known('2'));
    await store.note('a "b"\n', known('3'));
    await store.forget('c');
    await store.setDone(DONE);
    expect(await reopened()).toEqual({ known: [['a "b"\n', known('3')]], done: DONE });
    await store.setDone(null);
    await store.close();
    expect(await reopened()).toEqual({ known: [['a "b"\n', known('3')]], done: null });
  });

  it('writes a file of bounded size for 5,000 listings', async () => {
    const store = await openFileStore(file);
    for (let at = 0; at < 5_000; at += 1) {
      await store.note(`listing-${String(at)}`, { empreinte: '', photos: '?' });
      await store.note(`listing-${String(at)}`, known('f'.repeat(16)));
    }
    expect((await stat(file)).size).toBeLessThan(1_000_000);
    await store.setDone(DONE);
    await store.close();
    expect((await reopened()).known).toHaveLength(5_000);
  });

  it('keeps its file small when a few listings change again and again', async () => {
    const store = await openFileStore(file);
    let most = 0;
    for (let round = 0; round < 300; round += 1) {
      await store.setDone(null);
      for (let at = 0; at < 20; at += 1) await store.note(`listing-${String(at)}`, known(String(round)));
      await store.setDone(DONE);
      most = Math.max(most, (await stat(file)).size);
    }
    await store.note('after', known('x'));
    await store.close();
    expect(most).toBeLessThan(100_000);
    const found = await reopened();
    expect(found.known).toHaveLength(21);
    expect(found.known[0]).toEqual(['listing-0', known('299')]);
  });

  it('ignores the incomplete last line of a killed process and continues after the last complete line', async () => {
    const store = await openFileStore(file);
    await store.note('a', known('1'));
    await store.close();
    await appendFile(file, '["note","b","half of a li');
    const next = await openFileStore(file);
    await next.note('c', known('2'));
    await next.close();
    expect((await reopened()).known).toEqual([
      ['a', known('1')],
      ['c', known('2')],
    ]);
    expect(await readFile(file, 'utf8')).not.toContain('half');
  });

  it('fails when it cannot read its file, instead of starting with an empty file', async () => {
    await appendFile(file, 'no JSON\n');
    await expect(openFileStore(file)).rejects.toThrow('JSON');
    await expect(openFileStore(folder)).rejects.toThrow('EISDIR');
  });
});
