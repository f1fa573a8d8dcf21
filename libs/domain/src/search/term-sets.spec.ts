import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { wordsOf } from './folded-words';
import { type Term, TERM_BYTES, termOf, TermSets } from './term-sets';

const nameOf = ({ low, high }: Term): string => `${low}/${high}`;
const termsIn = (set: Buffer): Term[] => {
  const count = set.length / TERM_BYTES.both;
  return Array.from({ length: count }, (_, at) => ({
    low: set.readInt32LE(at * TERM_BYTES.low),
    high: set.readUInt16LE(count * TERM_BYTES.low + at * TERM_BYTES.high),
  }));
};

describe('search terms', () => {
  it('differ between words and between languages', () => {
    const letters = 'abcdefghijklmnopqrst';
    const words = Array.from({ length: 40_000 }, (_, n) =>
      [n % 20, Math.floor(n / 20) % 20, Math.floor(n / 400) % 20, Math.floor(n / 8_000)]
        .map((at) => letters[at])
        .join(''),
    );
    const names = words.flatMap((word) => [nameOf(termOf(word, 'xx')), nameOf(termOf(word, null))]);
    expect(new Set(names).size).toBe(2 * words.length);
    // Lower halves collide only by chance: with 40,000 words and 2^32 values, in about one of five tests.
    expect(new Set(words.map((word) => termOf(word, 'xx').low)).size).toBeGreaterThan(words.length - 5);
    // 40,000 words in 2^16 values: 65,536 × (1 − e^(−40,000 / 65,536)) = 29,940 different values expected, ± 100.
    expect(new Set(words.map((word) => termOf(word, 'xx').high)).size).toBeGreaterThan(29_500);
  });

  it('occur only once per text, whichever texts came before', () => {
    const sets = new TermSets();
    const texts: [string, string | null][] = [['Maison, maisons: MAISON jardin', 'fr']];
    const first = sets.of(texts);
    expect(first.length).toBe(2 * TERM_BYTES.both);
    sets.of([['autre maison', 'fr']]);
    expect(sets.of(texts)).toEqual(first);
    expect(termsIn(first)).toEqual([termOf('maison', 'fr'), termOf('jardin', 'fr')]);
  });

  it('stay the same when the cache of words overflows', () => {
    const sets = new TermSets();
    const before = sets.of([['maison', 'fr']]);
    for (let n = 0; n < 40; n += 1)
      sets.of([[Array.from({ length: 1_000 }, (_, at) => `mot${n}x${at}`).join(' '), 'fr']]);
    expect(sets.of([['maison', 'fr']])).toEqual(before);
  });
});

describe('TermSets', () => {
  it('tells similar cached words apart: 25,000 words that differ in one or two letters', () => {
    const sets = new TermSets();
    const words = Array.from({ length: 25_000 }, (_, n) => {
      const [first, second, place] = [n % 25, Math.floor(n / 25) % 25, Math.floor(n / 625)];
      const word = Array.from('abcdefghijklmnopqrstuvwxyzabcdefghijklmno');
      word.splice(place, 2, String.fromCharCode(0x61 + first), String.fromCharCode(0x430 + second));
      return word.slice(0, 38).join('');
    });
    const distinct = [...new Set(words)];
    sets.of([[distinct.join(' '), 'xx']]);
    for (const word of distinct)
      expect(termsIn(sets.of([[word, 'xx']])).map(nameOf)).toEqual([nameOf(termOf(word, 'xx'))]);
  });

  const letters = ['a', 'b', 'é', 's', 'ш', 'ʃ', '1', '\u0161', 'a\u0301'];
  const wordAt = (n: number): string =>
    [n % 9, Math.floor(n / 9) % 9, Math.floor(n / 81) % 9].map((at) => letters[at]!).join('');
  /** Hashes each word separately, without a cache. */
  const oneByOne = (texts: readonly (readonly [string, string | null])[]): string[] => [
    ...new Set(texts.flatMap(([text, language]) => wordsOf(text).map((word) => nameOf(termOf(word, language))))),
  ];
  it('returns the words of each text, also cached words, other languages and long texts', () => {
    const sets = new TermSets();
    for (let from = 0; from < 700; from += 100) {
      const text = Array.from({ length: 120 }, (_, n) => wordAt(from + n)).join(', ');
      const texts = [
        [`R${from}`, null],
        [text, 'fr'],
        [`${text} ${'. '.repeat(20_000)}`, 'en'],
        [text, null],
      ] as const;
      expect(termsIn(sets.of(texts)).map(nameOf)).toEqual(oneByOne(texts));
    }
  });

  it('does not cache overlong words', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const sets = new TermSets();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 40; n += 1)
      expect(sets.of([[`${'a'.repeat(100_000)}${n}`, 'fr']])).toHaveLength(TERM_BYTES.both);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
    expect(sets.of([['maison', 'fr']])).toHaveLength(TERM_BYTES.both);
  });
});
