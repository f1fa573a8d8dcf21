import { generateApiKey, hashApiKey, visiblePrefix } from '../index';

const PEPPER = Buffer.from('pepper');
const hash = hashApiKey('right', PEPPER);

describe('an API key', () => {
  it('consists of a prefix and 32 random bytes', () => {
    const [one, other] = [generateApiKey(), generateApiKey()];
    expect(one).toMatch(/^psr_[\w-]{43}$/);
    expect(one).not.toBe(other);
  });

  it('shows at most ten characters and a quarter of its length', () => {
    expect(visiblePrefix('psr_0123456789'.repeat(4))).toBe('psr_012345');
    expect(visiblePrefix('x'.repeat(40))).toHaveLength(10);
    expect(visiblePrefix('abcdefghi')).toBe('ab');
    expect(visiblePrefix('abc')).toBe('');
  });

  it('is stored as an HMAC-SHA-256 with a secret', () => {
    expect(hash.toString('hex')).toBe('fe2c2d2171d6eafa489c4e8998064fd50cb8ee52a03142d093cab30fe9f219b6');
    expect(hashApiKey('right', Buffer.from('another'))).not.toEqual(hash);
    expect(hashApiKey('wrong', PEPPER)).not.toEqual(hash);
  });
});
