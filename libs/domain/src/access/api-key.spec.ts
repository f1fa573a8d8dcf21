import { generateApiKey, hashApiKey, matchesApiKey, visiblePrefix } from '../index';

const PEPPER = Buffer.from('pepper');
const hash = hashApiKey('right', PEPPER);

describe('an API key', () => {
  it('is 32 random bytes behind a prefix', () => {
    const [one, other] = [generateApiKey(), generateApiKey()];
    expect(one).toMatch(/^psr_[\w-]{43}$/);
    expect(one).not.toBe(other);
  });

  it('shows ten characters, and never more than a quarter of it', () => {
    expect(visiblePrefix('psr_0123456789'.repeat(4))).toBe('psr_012345');
    expect(visiblePrefix('x'.repeat(40))).toHaveLength(10);
    expect(visiblePrefix('abcdefghi')).toBe('ab');
    expect(visiblePrefix('abc')).toBe('');
  });

  it('is stored as HMAC-SHA-256 with the secret of the installation', () => {
    expect(hash.toString('hex')).toBe('fe2c2d2171d6eafa489c4e8998064fd50cb8ee52a03142d093cab30fe9f219b6');
    expect(hashApiKey('right', Buffer.from('another'))).not.toEqual(hash);
    expect(hashApiKey('wrong', PEPPER)).not.toEqual(hash);
  });

  it.each<[string, { hash: Buffer; expiresAtMs: number | null }[], boolean]>([
    ['is right without an end', [{ hash, expiresAtMs: null }], true],
    ['is right before its end', [{ hash, expiresAtMs: 1_001 }], true],
    ['is wrong from its end on', [{ hash, expiresAtMs: 1_000 }], false],
    ['is wrong when another is stored', [{ hash: hashApiKey('other', PEPPER), expiresAtMs: null }], false],
    ['is wrong where none is stored', [], false],
    [
      'is right when it is the first of several',
      [
        { hash, expiresAtMs: null },
        { hash: hashApiKey('other', PEPPER), expiresAtMs: null },
      ],
      true,
    ],
  ])('%s', (_what, keys, isRight) => {
    expect(matchesApiKey(hash, keys, 1_000)).toBe(isRight);
  });

  it('is never the hash that stands in when a gateway has no key', () => {
    expect(matchesApiKey(Buffer.alloc(32), [], 0)).toBe(false);
  });
});
