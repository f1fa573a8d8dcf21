import { plainLine, plainText } from './plain-text';

describe('plainText', () => {
  it.each([
    ['Bien <scr<script>ipt>alert(1)</scr</script>ipt> situé', 'Bien alert(1) situé'],
    ['<scr<scr<script>ipt>ipt>alert(1)', 'alert(1)'],
    ['<a title="x < y">Voir> ici</a>', 'Voir> ici'],
  ])('removes nested tags completely: %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it.each([
    ['<BR> is a line break', 'Un<BR>Deux<br/>Trois<br />Quatre', 'Un\nDeux\nTrois\nQuatre'],
    ['inline tags are removed', 'un <b>beau</b> <span class="x">lot</span>', 'un beau lot'],
    ['a blank line separates paragraphs', '<p>Un</p><p>Deux</p>', 'Un\n\nDeux'],
    ['a blank line separates list items', '<ul><li>Cave</li><li>Parking</li></ul>', 'Cave\n\nParking'],
    ['scripts are removed with their content', 'a<script>alert("<b>x</b>")</script>b', 'a\nb'],
    ['styles are removed with their content', '<style>p{color:red}</style>Texte', 'Texte'],
    ['an unclosed script removes the rest', 'a<script>alert(1)', 'a'],
    ['comments are removed', 'a<!-- <b>privé</b> -->b', 'ab'],
    ['CDATA markers are removed, their text is kept', '<![CDATA[ Texte ]]>', 'Texte'],
    ['a > in an attribute does not end the tag', '<a title="a > b" href=\'x\'>lien</a>', 'lien'],
    ['an apostrophe in a tag does not swallow the text', "<Nom d'agence>reste</x>", 'reste'],
    ['named entities are decoded', 'R&eacute;sidence &laquo;&nbsp;Le Parc&nbsp;&raquo;', 'Résidence « Le Parc »'],
    ['doubly escaped entities are decoded', 'R&amp;eacute;sidence &amp;amp; jardin', 'Résidence & jardin'],
    ['escaped markup is removed', '&lt;p&gt;Un&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;', 'Un'],
    ['doubly escaped markup is removed', '&amp;lt;b&amp;gt;Un&amp;lt;/b&amp;gt;', 'Un'],
    ['&#13; is a line break', 'Un&#13;Deux', 'Un\nDeux'],
    ['CRLF becomes LF', 'Un\r\nDeux\rTrois', 'Un\nDeux\nTrois'],
    ['control characters are removed', 'a\u0000b\u0007c\u001fd\u007f\u0091e', 'abcde'],
    ['tabs, non-breaking blanks and repeated blanks become one blank', 'a\tb\u00a0c\u202fd  e', 'a b c d e'],
    ['invisible characters are removed', '\ufeffa\u200bb\u00adc', 'abc'],
    ['lone surrogates are removed, emoji are kept', 'a\ud800b 😀', 'ab 😀'],
    ['at most two blank lines are kept', 'a\n\n\n\n\n\nb', 'a\n\n\nb'],
    ['blanks around line breaks are removed', 'a  \n   b', 'a\nb'],
    ['blanks between line breaks are removed', 'a \n \n b\n c', 'a\n\nb\nc'],
  ])('follows the rule: %s', (_title, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it.each(['surface < 100 m²', 'a < b > c', '5 <3', 'DPE <100', 'x<', '<'])('keeps %j, which is not markup', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('keeps an escaped comparison', () => {
    expect(plainText('surface &lt; 100 m² &amp; &gt; 50')).toBe('surface < 100 m² & > 50');
  });

  it.each([
    '<scr<script>ipt>alert(1)</script>',
    '<<b>script>alert(1)</script>',
    '<<!-- -->script>alert(1)',
    '<img src=x onerror=alert(1)',
    '&lt;img src=x onerror=alert(1) &gt;',
    '&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
    '<\u0000script>alert(1)</script>',
    '<\u200bscript>alert(1)</script>',
    '<ta<b>ble><scr</b>ipt>',
    '</p',
    '<!DOCTYPE html><html>',
    '<<<<<<b>b>b>b>b>b>i>',
  ])('leaves no markup in the result for %j', (text) => {
    expect(plainText(text) ?? '').not.toMatch(/<[a-z/!?]/i);
  });

  it.each(['', '   ', '<br>', '&nbsp;', '\u0000'])('returns undefined for %j', (text) => {
    expect(plainText(text)).toBeUndefined();
  });

  it.each([
    '<a'.repeat(50_000),
    '<a "'.repeat(50_000),
    '<!--'.repeat(50_000),
    '&'.repeat(100_000),
    "<a='".repeat(50_000),
    '<'.repeat(100_000),
  ])('takes linear time on hostile text %#', (text) => {
    // CPU time instead of clock time, because other tests run in parallel.
    const before = process.cpuUsage();
    plainText(text);
    expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
  });
});

describe('plainLine', () => {
  it('puts a title with breaks and tabs on one line', () => {
    expect(plainLine('Maison\n avec\tjardin<br>et cave')).toBe('Maison avec jardin et cave');
  });
});
