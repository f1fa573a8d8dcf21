import { hasTag, weakTag } from './entity-tag';

const TAG = weakTag('token', 'n', 50, 1);

describe('entity tag', () => {
  it('is weak and names everything that the response depends on', () => {
    expect(TAG).toBe('W/"token.n.50.1"');
  });

  it.each([
    ['the tag itself', TAG, true],
    ['the tag without its mark of weakness, as some proxies send it', '"token.n.50.1"', true],
    ['one of several', `"x", ${TAG} , W/"y"`, true],
    ['any', '*', true],
    ['another', 'W/"token.n.50.2"', false],
    ['a part of it', '"token.n.50"', false],
    ['none', undefined, false],
    ['nonsense', 'token.n.50.1', false],
  ])('is compared with If-None-Match: %s', (_what, header, expected) => {
    expect(hasTag(header, TAG)).toBe(expected);
  });
});
