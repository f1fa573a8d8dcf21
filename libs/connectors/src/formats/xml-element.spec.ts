import { XMLParser } from 'fast-xml-parser';

import { listPaths } from './list-paths';
import { parseXmlElement, XmlFault } from './xml-element';

describe('parseXmlElement', () => {
  it.each([
    [
      'numeric-looking text stays text',
      '<p><cp>01067</cp><a>1e5</a><b>0x10</b><c>+336</c></p>',
      { cp: '01067', a: '1e5', b: '0x10', c: '+336' },
    ],
    ['layout is removed', '<p>\n  <a>\n x </a>\n</p>', { a: 'x' }],
    ['an empty element is an empty text', '<p><a/><b></b><c> </c></p>', { a: '', b: '', c: '' }],
    [
      'attributes and text',
      '<p id="1"><a lang=\'fr\' x = "a>b">t</a></p>',
      { '@id': '1', a: { '@lang': 'fr', '@x': 'a>b', '#text': 't' } },
    ],
    ['repeated elements', '<p><a>1</a><b/><a>2</a><a>3</a></p>', { a: ['1', '2', '3'], b: '' }],
    [
      'CDATA is not decoded and keeps its blanks',
      '<p><a>\n <![CDATA[ <b>&amp;</b> ]]>\n</a></p>',
      { a: ' <b>&amp;</b> ' },
    ],
    ['text around CDATA', '<p><a>un <![CDATA[<deux>]]> trois </a></p>', { a: 'un <deux> trois' }],
    ['blanks between CDATA sections', '<p><a> <![CDATA[un]]> <![CDATA[deux ]]> <!-- x --></a></p>', { a: 'un deux ' }],
    ['an empty CDATA section adds no text', '<p><a>un <![CDATA[]]></a></p>', { a: 'un' }],
    ['all line ends become LF', '<p><a>un\r\ndeux\rtrois&#13;</a></p>', { a: 'un\ndeux\ntrois' }],
    [
      'the five XML entities and numeric entities',
      '<p><a>&amp;&lt;&gt;&quot;&apos;&#233;&#xE9;</a></p>',
      { a: '&<>"\'éé' },
    ],
    ['entities are decoded once', '<p><a>&amp;eacute; &amp;#233;</a></p>', { a: '&eacute; &#233;' }],
    ['other entities are kept', '<p><a>&eacute; AT&T &</a></p>', { a: '&eacute; AT&T &' }],
    ['references to invalid characters are removed', '<p><a>x&#0;&#11;y</a></p>', { a: 'xy' }],
    [
      'prefixes are dropped',
      '<n:p xmlns:n="u" xmlns=""><n:a n:b="1">x</n:a></n:p>',
      { a: { '@b': '1', '#text': 'x' } },
    ],
    ['comments and instructions are skipped', '<p><!-- <a>no</a> --><?x <a?><a>1</a></p>', { a: '1' }],
    ['blanks before the end of a tag', '<p><a>1</a ><b >2</b\n></p>', { a: '1', b: '2' }],
    ['names with accented letters, digits and signs', '<p><é1>1</é1><a.b-2>2</a.b-2></p>', { é1: '1', 'a.b-2': '2' }],
    ['attributes of all kinds', '<p a="&amp;"  b=\' 1 \' c-1="2"\n/>', { '@a': '&', '@b': '1', '@c-1': '2' }],
    ['text beside children', '<p>un<a/>deux</p>', { a: '', '#text': 'undeux' }],
    [
      'names of Object.prototype',
      '<p><constructor>1</constructor><toString>2</toString></p>',
      { constructor: '1', toString: '2' },
    ],
    ['an element with only text', '<p>x</p>', { '#text': 'x' }],
    ['an empty record', '<p/>', {}],
  ])('parses a record: %s', (_title, xml, expected) => {
    expect(parseXmlElement(xml)).toEqual(expected);
  });

  it('returns lists only for declared paths, also for a single element', () => {
    const lists = listPaths(['images.image', 'images.image.tags.tag', 'custom']);
    expect(
      parseXmlElement(
        '<p><images><image id="1"><tags><tag>a</tag></tags></image></images><custom/><image>x</image></p>',
        lists,
      ),
    ).toEqual({
      images: { image: [{ '@id': '1', tags: { tag: ['a'] } }] },
      custom: [''],
      image: 'x',
    });
  });

  it.each([
    '',
    'x',
    '<p>',
    '<p><a></p>',
    '<p><a></b></p>',
    '<p><a>1</ab></p>',
    '<p><ab>1</a></p>',
    '<p a="x<y"/>',
    '<p></p></p>',
    '<p/><p/>',
    'x<p/>',
    '<p/>x',
    '<p a=1/>',
    '<p a/>',
    '<p a="1/>',
    '<p <a/></p>',
    '<p><![CDATA[x</p>',
    '<p><!-- x</p>',
    '<!DOCTYPE p [<!ENTITY e "e">]><p>&e;</p>',
    '<p><!ENTITY e "e"></p>',
    '<p><__proto__>1</__proto__></p>',
    `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`,
    `${'<a>'.repeat(101)}<b>1</b>${'</a>'.repeat(101)}`,
  ])('refuses %j', (xml) => {
    expect(() => parseXmlElement(xml)).toThrow(XmlFault);
  });

  it('reads a < that does not open a tag as text', () => {
    expect(parseXmlElement('<p><a>12 < 100 m²</a></p>')).toEqual({ a: '12 < 100 m²' });
  });

  it('agrees with a general parser on an ordinary record', () => {
    const xml =
      '<property><id>1</id><price>250000</price><desc><fr>Un &amp; deux</fr><en><![CDATA[<p>x</p>]]></en></desc>' +
      '<images><image id="2"><url>https://x.example/2.jpg?a=1&amp;b=2</url></image><image id="1"><url/></image></images><empty/></property>';
    const general = new XMLParser({
      parseTagValue: false,
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      trimValues: true,
    });
    expect({ property: parseXmlElement(xml) }).toEqual(general.parse(xml));
  });

  it.each([
    '<a '.repeat(100_000),
    `<p ${'a="1" '.repeat(100_000)}`,
    `<p>${'&amp;'.repeat(200_000)}</p>`,
    '<p'.repeat(100_000),
  ])('takes linear time on hostile text %#', (xml) => {
    // CPU time instead of clock time, because other tests run in parallel. Quadratic time would take minutes.
    const before = process.cpuUsage();
    try {
      parseXmlElement(xml);
    } catch {
      // It may reject the text, but it must not be slow.
    }
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });
});
