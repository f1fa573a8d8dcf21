import { PageCache } from './page-cache';

const load = (cache: PageCache, name: string, bytes: number) =>
  cache.load(name, () => Promise.resolve(Buffer.alloc(bytes)));

describe('PageCache', () => {
  it('lets the least recently used page go when there are too many bytes', async () => {
    const cache = new PageCache(100);
    for (const name of ['a', 'b', 'c', 'd']) await load(cache, name, 25);
    cache.get('a');
    await load(cache, 'e', 25);

    expect(['a', 'b', 'c', 'd', 'e'].filter((name) => cache.get(name) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
  });

  it('does not keep a page that would push out most others', async () => {
    const cache = new PageCache(100);
    await load(cache, 'small', 20);

    expect(await load(cache, 'large', 26)).toHaveLength(26);
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
  });

  it('makes a page once for all who ask at the same time', async () => {
    const cache = new PageCache(100);
    const make = jest.fn(() => Promise.resolve(Buffer.alloc(1)));
    const [one, two] = await Promise.all([cache.load('a', make), cache.load('a', make)]);

    expect(one).toBe(two);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('forgets a failure', async () => {
    const cache = new PageCache(100);
    await expect(cache.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await load(cache, 'a', 3)).toHaveLength(3);
  });
});
