import { Readable } from 'node:stream';
import { PageStore } from './page-store';
import { spoolFrom, type Spool } from '../spool';
import { SpoolBudget, SpoolReservation } from '../spool-budget';

const MEBIBYTE = 1024 * 1024;

let directory: SpoolReservation;
let store: PageStore;

beforeEach(() => {
  directory = new SpoolReservation();
  store = new PageStore(directory);
});

afterEach(async () => {
  await store.close();
  directory.leave();
});

/** Stores a page that repeats one letter, and closes the spool in which it arrived. */
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

it('PageStore keeps a page that was spooled to a file when memory was full, even after that file is closed', async () => {
  const budget = new SpoolBudget({ memoryBytes: MEBIBYTE });
  const reservation = new SpoolReservation(budget);
  const pages = new PageStore(reservation);
  await pages.startWalk();
  expect(reservation.reserveMemory(MEBIBYTE)).toBe(true);
  const spool = await spoolFrom(Readable.from([Buffer.alloc(1000, 'a')]), reservation);
  // Another run releases its buffers before the store keeps this page.
  reservation.releaseMemory(MEBIBYTE);
  const kept = await pages.keep(spool);
  await spool.close();
  expect((await kept.read(0, 5)).toString()).toBe('aaaaa');
  await pages.close();
  reservation.leave();
});

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

it('PageStore returns each page, from memory and from its file', async () => {
  await store.startWalk();
  const pages = [await keep('a', 3), await keep('b', 1), await keep('c', 1), await keep('d', 5), await keep('e', 1)];
  expect(await Promise.all(pages.map(lettersIn))).toEqual(['3 a', '1 b', '1 c', '5 d', '1 e']);
  expect((await pages[3]!.read(5 * MEBIBYTE - 2, 10)).toString()).toBe('dd');
});

it('PageStore keeps the pages of the last two walks', async () => {
  const pages: Spool[] = [];
  for (const letter of ['a', 'b', 'c']) {
    await store.startWalk();
    pages.push(await keep(letter, 5));
  }
  await expect(lettersIn(pages[0]!)).rejects.toThrow();
  expect([await lettersIn(pages[1]!), await lettersIn(pages[2]!)]).toEqual(['5 b', '5 c']);
});
