import { PageStore } from './page-store';
import { SpoolDirectory, spoolFrom, type Spool } from '../spool';

const MEBIBYTE = 1024 * 1024;

let directory: SpoolDirectory;
let store: PageStore;

beforeEach(() => {
  directory = new SpoolDirectory();
  store = new PageStore();
});

afterEach(async () => {
  await store.close();
  await directory.remove();
});

/** Keeps a page of one letter, and closes the spool that it came in. */
async function keep(letter: string, mebibytes: number): Promise<Spool> {
  async function* bytes(): AsyncGenerator<Buffer> {
    await Promise.resolve();
    yield Buffer.alloc(mebibytes * MEBIBYTE, letter);
  }
  const spool = await spoolFrom(bytes(), directory);
  const kept = await store.keep(spool);
  await spool.close();
  return kept;
}

async function lettersIn(spool: Spool): Promise<string> {
  let letters = '';
  let size = 0;
  for await (const chunk of spool.open()) {
    size += chunk.length;
    for (const letter of new Set(chunk))
      if (!letters.includes(String.fromCharCode(letter))) letters += String.fromCharCode(letter);
  }
  return `${size / MEBIBYTE} ${letters}`;
}

it('gives back each page, those in memory and those in the file', async () => {
  await store.startWalk();
  const pages = [await keep('a', 3), await keep('b', 1), await keep('c', 1), await keep('d', 5), await keep('e', 1)];
  expect(await Promise.all(pages.map(lettersIn))).toEqual(['3 a', '1 b', '1 c', '5 d', '1 e']);
  expect((await pages[3]!.read(5 * MEBIBYTE - 2, 10)).toString()).toBe('dd');
});

it('keeps the pages of the last two walks', async () => {
  const pages: Spool[] = [];
  for (const letter of ['a', 'b', 'c']) {
    await store.startWalk();
    pages.push(await keep(letter, 5));
  }
  await expect(lettersIn(pages[0]!)).rejects.toThrow();
  expect([await lettersIn(pages[1]!), await lettersIn(pages[2]!)]).toEqual(['5 b', '5 c']);
});
