import { generateSignInToken, signInTokenDigest } from './operator';

describe('generateSignInToken', () => {
  it('returns 32 random bytes that fit into an address', () => {
    const [token, other] = [generateSignInToken(), generateSignInToken()];
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(signInTokenDigest(token)).not.toEqual(signInTokenDigest(other));
  });
});
