import { randomBytes } from 'node:crypto';
import { AnswerMemory } from '../http/answer-memory';
import { CachedBody } from '../http/cached-body';
import { PageCache } from './page-cache';

const bodyOf = (bytes: Buffer): CachedBody => new CachedBody(bytes, [], 'W/"x"');
const OVERHEAD = bodyOf(Buffer.alloc(0)).size;
/** A page of this size in memory. */
const pageOf = (bytes: number): CachedBody => bodyOf(Buffer.alloc(bytes - OVERHEAD));

const load = (cache: PageCache, name: string, bytes: number) => cache.load(name, () => Promise.resolve(pageOf(bytes)));

describe('PageCache', () => {
  it('evicts the least recently used page for a page that is made for the second time', async () => {
    const cache = new PageCache(100_000, 1);
    for (const name of ['a', 'b', 'c', 'd']) await load(cache, name, 25_000);
    cache.get('a');
    await load(cache, 'e', 25_000);
    expect(cache.get('e')).toBeUndefined();
    await load(cache, 'e', 25_000);

    expect(['a', 'b', 'c', 'd', 'e'].filter((name) => cache.get(name) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
  });

  it('does not keep a page that would evict most others', async () => {
    const cache = new PageCache(100_000, 1);
    await load(cache, 'small', 20_000);

    expect(await load(cache, 'large', 26_000)).toMatchObject({ size: 26_000 });
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
  });

  it('counts the gzipped form of a page in its size', async () => {
    const cache = new PageCache(40_000, 1);
    for (const name of 'abcdefg') await load(cache, name, 4_900);
    const random = bodyOf(randomBytes(4_900 - OVERHEAD));
    await cache.load('h', () => Promise.resolve(random));
    expect(cache.get('a')).toBeDefined();
    await random.prepareGzip();
    cache.recount('h', random);
    expect(Array.from('abcdefgh').filter((name) => cache.get(name) === undefined)).toEqual(['b']);
  });

  it('makes a page once for concurrent readers', async () => {
    const cache = new PageCache(100_000, 1);
    const make = jest.fn(() => Promise.resolve(pageOf(3_000)));
    const [one, two] = await Promise.all([cache.load('a', make), cache.load('a', make)]);

    expect(one).toBe(two);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('copies kept and shared pages to separate memory, and leaves other pages in lent memory', async () => {
    const cache = new PageCache(16_000, 1);
    const memory = new AnswerMemory();
    const make = () => Promise.resolve(new CachedBody(memory.take(100), [], 'W/"x"', memory));
    const kept = await cache.load('kept', make);
    for (const name of 'abc') await load(cache, name, 4_000);
    const alone = await cache.load('alone', make);
    const [one, other] = await Promise.all([cache.load('shared', make), cache.load('shared', make)]);

    expect([kept, alone, one, other].map(({ isLent }) => isLent)).toEqual([false, true, false, false]);
  });

  it('leaves a page in lent memory if it is too large for the cache', async () => {
    const cache = new PageCache(16_000, 1);
    const memory = new AnswerMemory();
    const page = await cache.load('a', () => Promise.resolve(new CachedBody(memory.take(5_000), [], 'W/"x"', memory)));
    expect([page.isLent, cache.get('a')]).toEqual([true, undefined]);
  });

  it('keeps pages that are requested repeatedly, even when the cache is full of pages that are no longer read', async () => {
    // There is room for 200.
    const cache = new PageCache(800_000);
    const names = (list: string): string[] => Array.from({ length: 150 }, (_, page) => `${list}/${page}`);
    for (const name of ['of before', 'of long before', 'now', 'now'].flatMap(names)) await load(cache, name, 4_000);
    expect(names('now').filter((name) => cache.get(name) === undefined)).toEqual([]);
  });

  it('makes a page again after a failure', async () => {
    const cache = new PageCache(100_000, 1);
    await expect(cache.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await load(cache, 'a', 3_000)).toMatchObject({ size: 3_000 });
  });

  it('forgets that a page was made once after enough other pages were made', async () => {
    const cache = new PageCache(16_000, 2);
    // There is room for four.
    for (const name of 'abcdef') await load(cache, name, 4_000);
    for (const name of 'gfe') await load(cache, name, 4_000);

    expect(Array.from('abcdefg').filter((name) => cache.get(name) !== undefined)).toEqual(['b', 'c', 'd', 'f']);
  });
});
