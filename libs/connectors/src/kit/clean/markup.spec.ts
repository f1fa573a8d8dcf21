import { decodeEntities } from './markup';

describe('decodeEntities', () => {
  it.each([
    ['&eacute;t&eacute;', 'été'],
    ['&Agrave;', 'À'],
    ['&yuml;', 'ÿ'],
    ['&nbsp;', '\u00a0'],
    ['&euro; &oelig; &rsquo; &sup2;', '€ œ ’ ²'],
    ['&#233;&#xE9;&#XE9;', 'ééé'],
    ['&#13;', '\r'],
    ['&#146;&#128;', '’€'],
    ['&#128512;', '😀'],
    ['&amp;eacute;', '&eacute;'],
    ['&lt;b&gt;', '<b>'],
  ])('decodes %j once to %j', (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });

  it.each(['AT&T', 'a & b', '&inconnu;', 'x?a=1&copy=2', '&;', '&#;', '&#x;'])(
    'does not change %j, which is not an entity',
    (text) => {
      expect(decodeEntities(text)).toBe(text);
    },
  );

  it.each(['&#0;', '&#xD800;', '&#1114112;'])('removes %j, which is not a character', (text) => {
    expect(decodeEntities(`a${text}b`)).toBe('ab');
  });
});
