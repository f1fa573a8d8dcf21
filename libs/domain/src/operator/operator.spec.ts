import { SecretBox } from '../access/secret-box';
import { makeSignInToken, openSignInToken } from './operator';

describe('a sign-in token', () => {
  const box = new SecretBox('k'.repeat(32));
  const now = new Date('2026-11-23T12:00:00Z');
  const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
  const token = makeSignInToken(box, 'demo', later(60));

  it('names its operator until its time is over', () => {
    expect(openSignInToken(box, token, now)).toBe('demo');
    expect(openSignInToken(box, token, later(59))).toBe('demo');
    expect(openSignInToken(box, token, later(60))).toBeNull();
  });

  it('is nobody’s when it was sealed with another key, changed, or sealed for something else', () => {
    expect(openSignInToken(new SecretBox('x'.repeat(32)), token, now)).toBeNull();
    // What a token begins with is random.
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    expect(openSignInToken(box, changed, now)).toBeNull();
    expect(openSignInToken(box, '', now)).toBeNull();
    const other = box.seal(JSON.stringify({ name: 'demo', until: later(60).getTime() })).toString('base64url');
    expect(openSignInToken(box, other, now)).toBeNull();
  });
});
