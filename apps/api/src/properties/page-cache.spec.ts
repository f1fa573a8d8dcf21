import { randomBytes } from 'node:crypto';
import { CachedBody } from '../http/cached-body';
import { PageCache } from './page-cache';

const bodyOf = (bytes: Buffer): CachedBody => new CachedBody(bytes, [], 'W/"x"');
const OVERHEAD = bodyOf(Buffer.alloc(0)).size;
/** A page that takes so much memory. */
const pageOf = (bytes: number): CachedBody => bodyOf(Buffer.alloc(bytes - OVERHEAD));

const load = (cache: PageCache, name: string, bytes: number) => cache.load(name, () => Promise.resolve(pageOf(bytes)));

describe('PageCache', () => {
  it('lets the least recently used page go when there are too many bytes', async () => {
    const cache = new PageCache(100_000);
    for (const name of ['a', 'b', 'c', 'd']) await load(cache, name, 25_000);
    cache.get('a');
    await load(cache, 'e', 25_000);

    expect(['a', 'b', 'c', 'd', 'e'].filter((name) => cache.get(name) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
  });

  it('does not keep a page that would push out most others', async () => {
    const cache = new PageCache(100_000);
    await load(cache, 'small', 20_000);

    expect(await load(cache, 'large', 26_000)).toMatchObject({ size: 26_000 });
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
  });

  it('counts the gzipped form of a page as well', async () => {
    const cache = new PageCache(40_000);
    for (const name of 'abcdefg') await load(cache, name, 4_900);
    const random = bodyOf(randomBytes(4_900 - OVERHEAD));
    await cache.load('h', () => Promise.resolve(random));
    expect(cache.get('a')).toBeDefined();
    await random.prepareGzip();
    cache.recount('h', random);
    expect(Array.from('abcdefgh').filter((name) => cache.get(name) === undefined)).toEqual(['b']);
  });

  it('makes a page once for all who ask at the same time', async () => {
    const cache = new PageCache(100_000);
    const make = jest.fn(() => Promise.resolve(pageOf(3_000)));
    const [one, two] = await Promise.all([cache.load('a', make), cache.load('a', make)]);

    expect(one).toBe(two);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('forgets a failure', async () => {
    const cache = new PageCache(100_000);
    await expect(cache.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await load(cache, 'a', 3_000)).toMatchObject({ size: 3_000 });
  });

  it('keeps a page that is made for the second time, where few are asked for again', async () => {
    const cache = new PageCache(100_000, 2);
    for (const name of ['a', 'b', 'c', 'b']) await load(cache, name, 3_000);
    // Of two it is known that they were made once.
    await load(cache, 'a', 3_000);

    expect(['a', 'b', 'c'].filter((name) => cache.get(name) !== undefined)).toEqual(['b']);
    await load(cache, 'a', 3_000);
    expect(cache.get('a')).toBeDefined();
  });
});
