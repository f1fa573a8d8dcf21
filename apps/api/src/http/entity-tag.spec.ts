import { hasTag, weakTag } from './entity-tag';

const TAG = weakTag('token', 'n', 50, 1);

describe('entity tag', () => {
  it('is weak and contains everything that the response depends on', () => {
    expect(TAG).toBe('W/"token.n.50.1"');
  });

  it.each([
    ['the same tag', TAG, true],
    ['the tag without its W/ prefix, as some proxies send it', '"token.n.50.1"', true],
    ['a list that contains the tag', `"x", ${TAG} , W/"y"`, true],
    ['the wildcard *', '*', true],
    ['another tag', 'W/"token.n.50.2"', false],
    ['a part of the tag', '"token.n.50"', false],
    ['no value', undefined, false],
    ['the tag without quotation marks', 'token.n.50.1', false],
  ])('is compared with If-None-Match: %s', (_what, header, expected) => {
    expect(hasTag(header, TAG)).toBe(expected);
  });
});
