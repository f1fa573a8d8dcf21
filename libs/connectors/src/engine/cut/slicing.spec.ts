import { BadFeed } from '@passerelle/domain';
import type { FeedDocument, Slice } from '../../kit/contracts';
import { feedDocument } from '../../../../../test/support/connectors/feed-document';
import type { JsonSlicing } from './json-scanner';
import { QUOTED_BANG_HASH_LINES, sliceLines, type LineSlicing } from './line-slicer';
import { sliceJson, sliceXml } from './slicers';
import type { XmlSlicing } from './xml-scanner';

/** A document whose bytes come in chunks of `chunkBytes`. */
const partOf = (document: string | Buffer, chunkBytes = 64 * 1024): FeedDocument =>
  feedDocument(document, () => chunkBytes);

/** Slices as short strings: `record@2 <a/>`. */
async function shown(slices: AsyncIterable<Slice>): Promise<string[]> {
  const lines: string[] = [];
  for await (const slice of slices) {
    switch (slice.kind) {
      case 'record':
        lines.push(`record@${slice.line} ${slice.bytes.toString()}`);
        break;
      case 'broken':
        lines.push(`broken@${slice.line} ${slice.bytes.toString()} (${slice.message})`);
        break;
      case 'context':
        lines.push(`context ${slice.name} ${slice.bytes.toString()}`);
        break;
      case 'incomplete':
        lines.push(`incomplete (${slice.message})`);
        break;
      case 'declared':
        lines.push(`declared ${slice.count}`);
        break;
      case 'scope':
        lines.push(`scope ${slice.scope}`);
    }
  }
  return lines;
}

const KYERO: XmlSlicing = { root: 'root', record: 'property', context: ['agent'] };
const xml = (document: string | Buffer, slicing: XmlSlicing = KYERO): Promise<string[]> =>
  shown(sliceXml(partOf(document), slicing));
const json = (document: string, slicing: JsonSlicing = { records: 'items', envelope: ['total'] }): Promise<string[]> =>
  shown(sliceJson(partOf(document), slicing));
const lines = (document: string, slicing?: LineSlicing): Promise<string[]> =>
  shown(sliceLines(partOf(document), slicing));

const ODD_XML = `\ufeff<?xml version='1.0' encoding="UTF-8"?>
<!-- <property>not one</property> -->
<!DOCTYPE root>
<x:root xmlns:x="urn:x" note="a > b">
 <agent><name>É</name></agent>
 <property id="1" text='a > "b"'><id>1</id><!-- </property> --><desc><![CDATA[ </property> <b> ]]></desc></property>
 <x:property
   id="2"><list><property>inner</property></list></x:property >
 <property/>
 <other><property>3</property><deep>1 < 2 & <?pi </property> ?></deep></other>
 <![CDATA[ <property> ]]>
</x:root>
<!-- end --><?bye ?>
`;

describe('sliceXml', () => {
  it('finds records with any content in and around them', async () => {
    expect(await xml(ODD_XML)).toEqual([
      'context #encoding utf-8',
      'context agent <agent><name>É</name></agent>',
      `record@6 <property id="1" text='a > "b"'><id>1</id><!-- </property> --><desc><![CDATA[ </property> <b> ]]></desc></property>`,
      'record@7 <x:property\n   id="2"><list><property>inner</property></list></x:property >',
      'record@9 <property/>',
      'record@10 <property>3</property>',
    ]);
  });

  it('finds records only below the named parent elements', async () => {
    const slicing: XmlSlicing = { root: 'export', record: 'property', recordParents: ['properties'] };
    const document =
      '<export><property>no</property><properties><property>yes</property><x><property>no</property></x></properties></export>';
    expect(await xml(document, slicing)).toEqual(['record@1 <property>yes</property>']);
  });

  it.each([
    ['between records', '<root>\n<property>1</property>\n', 'the document ends at line 3, before the end of <root>'],
    [
      'in a record',
      '<root>\n<property>1</proper',
      'the document ends at line 2, inside the record that starts at line 2',
    ],
    [
      'in a CDATA section',
      '<root><property><![CDATA[ ]]',
      'the document ends at line 1, inside the record that starts at line 1',
    ],
    ['in a comment', '<root><!-- ', 'the document ends at line 1, before the end of <root>'],
    ['in a context element', '<root><agent>', 'the document ends at line 1, inside <agent> that starts at line 1'],
  ])('reports a document cut %s as incomplete', async (_where, document, message) => {
    expect((await xml(document)).at(-1)).toBe(`incomplete (${message})`);
  });

  it.each([
    ['text', '<root></root>\noops', 'line 2: something follows the end of the root element'],
    ['another root element', '<root/><root/>', 'line 1: a second root element follows the first'],
    ['half a tag', '<root/><', 'line 1: something follows the end of the root element'],
    ['half a comment', '<root/><!-- ', 'line 1: something follows the end of the root element'],
  ])('reports a document with %s after its end as incomplete', async (_what, document, message) => {
    expect(await xml(document)).toEqual([`incomplete (${message})`]);
  });

  it('reports where a group of records starts', async () => {
    const groups: XmlSlicing = { root: 'root', record: 'item', groups: ['agency'], context: ['name'] };
    const document =
      '<root><x:agency id="1"><item/><name>A</name></x:agency><!-- <agency> --><item/><agency/><item><agency/></item></root>';
    expect(await xml(document, groups)).toEqual([
      'context agency <x:agency id="1">',
      'record@1 <item/>',
      'context name <name>A</name>',
      'record@1 <item/>',
      'context agency <agency/>',
      'record@1 <item><agency/></item>',
    ]);
  });

  it('rejects only the record whose tags do not match, and continues', async () => {
    const document = '<root><property><a><b></a></property>\n<property>2</property></root>';
    expect(await xml(document)).toEqual([
      'broken@1 <property><a><b></a></property> (line 1: the end tag </a> does not match the element that is open)',
      'record@2 <property>2</property>',
    ]);
  });

  it('finds the end of a broken record that contains elements of the same name', async () => {
    const document =
      '<root><property><x></y><property>in</property><property/></property><property>2</property></root>';
    expect((await xml(document)).at(-1)).toBe('record@1 <property>2</property>');
  });

  it('rejects only the record with an unclosed tag, and continues', async () => {
    const document = '<root><property><a href="x>\n</a></property><property>2</property></root>';
    expect(await xml(document)).toEqual([
      'broken@1 <property><a href="x>\n</a></property> (line 2: a tag is not closed)',
      'record@2 <property>2</property>',
    ]);
  });

  it('stops reading when the markup around the records is broken', async () => {
    expect(await xml('<root><a></b><property>1</property></root>')).toEqual([
      'incomplete (line 1: the end tag </b> does not match the element that is open)',
    ]);
  });

  it.each([1, 7, 100, 64 * 1024])(
    'rejects only a record that is too large, in chunks of %i bytes',
    async (chunkBytes) => {
      const document = `<root><property>${'x<a>y</a>'.repeat(1000)}</property><property>2</property></root>`;
      const slices = await shown(sliceXml(partOf(document, chunkBytes), { ...KYERO, maxRecordBytes: 1000 }));
      expect(slices).toHaveLength(2);
      expect(slices[0]).toMatch(/^broken@1 <property>x<a>.*\(the record is larger than 1000 bytes\)$/);
      expect(slices[1]).toBe('record@1 <property>2</property>');
    },
  );

  it.each([
    ['an empty document', '', 'the document is empty'],
    ['a document that contains only blanks', ' \n ', 'the document is empty'],
    [
      'an HTML page',
      '<html><body>502</body></html>',
      "the document's root element is <html>, not <root>: probably an error page",
    ],
    [
      'an HTML page with a DOCTYPE',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD"><html>',
      'the document is an HTML page, probably an error page',
    ],
    ['a document with another root element', '<client/>', "the document's root element is <client>, not <root>"],
    ['JSON', '{"error": 1}', 'the document is not XML: it looks like JSON'],
    ['plain text', 'Bad gateway', 'the document is not XML: it looks like plain text'],
    ['an unfinished root element', '<roo', 'the document ends before its root element'],
    [
      'an entity declaration in the DOCTYPE',
      '<!DOCTYPE root [<!ENTITY a "b">]><root/>',
      'line 1: a <!DOCTYPE> that declares something is refused',
    ],
    [
      'an entity declaration inside the root element',
      '<root>\n<!ENTITY a "b"></root>',
      'line 2: a <!ENTITY> that declares something is refused',
    ],
  ])('refuses %s', async (_what, document, message) => {
    await expect(xml(document)).rejects.toThrow(new BadFeed(message));
  });

  it.each(['utf-16le', 'utf-16be'] as const)('refuses entities in a document encoded as %s', async (encoding) => {
    const bomb = `<!DOCTYPE root [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "&a;&a;&a;&a;">]><root>&b;</root>`;
    for (const start of ['\ufeff', '<?xml version="1.0" encoding="UTF-16"?>']) {
      const bytes = Buffer.from(start + bomb, 'utf16le');
      await expect(xml(encoding === 'utf-16be' ? bytes.swap16() : bytes)).rejects.toThrow(/a <!DOCTYPE> .* is refused/);
    }
  });

  it.each(['UTF-7', 'IBM037', 'UTF-32'])('does not decode bytes that are declared as %s', async (encoding) => {
    const hidden = '+ADwAIQ-DOCTYPE root +AFsAPAAh-ENTITY a +ACI-b+ACIAPgBdAD4-';
    const slices = xml(`<?xml version="1.0" encoding="${encoding}"?><root><property>${hidden}</property></root>`);
    expect((await slices).at(-1)).toBe(`record@1 <property>${hidden}</property>`);
  });

  it.each(['utf-16le', 'utf-16be'] as const)('reads %s, with and without a byte order mark', async (encoding) => {
    const document = '<?xml version="1.0" encoding="UTF-16"?><root><property>é 😀</property></root>';
    for (const mark of ['\ufeff', '']) {
      const bytes = Buffer.from(mark + document, 'utf16le');
      const part = partOf(encoding === 'utf-16be' ? bytes.swap16() : bytes, 3);
      expect((await shown(sliceXml(part, KYERO))).at(-1)).toBe('record@1 <property>é 😀</property>');
    }
  });
});

describe('sliceJson', () => {
  it('finds the elements of the list and the requested members', async () => {
    const document = `{ "total": 3, "skipped": {"items": [1, "]"]},\n "items": [ {"a": "}\\"]"},\n [1, {"b": []}], "x\\\\", 12, null ], "late": {"total": 1} }\n`;
    expect(await json(document, { records: 'items', envelope: ['total', 'late'] })).toEqual([
      'context total 3',
      'record@2 {"a": "}\\"]"}',
      'record@3 [1, {"b": []}]',
      'record@3 "x\\\\"',
      'record@3 12',
      'record@3 null',
      'context late {"total": 1}',
    ]);
  });

  it('reads a list at the top level', async () => {
    expect(await json('\ufeff[{"a":1},{"b":2}]', { records: '' })).toEqual(['record@1 {"a":1}', 'record@1 {"b":2}']);
  });

  it.each(['{"items": null}', '{"items": []}', '{"total": 0, "items" : [ ] }'])(
    'finds no record in %s',
    async (document) => {
      expect((await json(document)).filter((slice) => !slice.startsWith('context'))).toEqual([]);
    },
  );

  it.each([
    ['in the list', '{"items": [{"a": 1},\n'],
    ['in a record', '{"items": [{"a": 1}, {"b": '],
    ['after the list', '{"items": [{"a": 1}]'],
    ['by brackets that do not match', '{"items": [{"a": 1}, {"a": [1}]}'],
    ['by a second object after its end', '{"items": [{"a": 1}]} {}'],
    ['by a missing comma between records', '{"items": [{"a": 1} {"b": 1}]}'],
  ])('reports a document cut or damaged %s as incomplete', async (_where, document) => {
    const slices = await json(document);
    expect(slices[0]).toBe('record@1 {"a": 1}');
    expect(slices.at(-1)).toMatch(/^incomplete \(/);
  });

  it.each([
    ['an empty document', '', 'the document is empty'],
    ['an HTML page', '<html></html>', 'the document is not JSON: it looks like an HTML page'],
    [
      'an object without the list',
      '{"message": "x", "code": [1]}',
      'the JSON document has no member "items": it has "message", "code"',
    ],
    ['an empty object', '{}', 'the JSON document has no member "items": it has no members'],
    ['an object instead of the list', '{"items": {"a": 1}}', 'the member "items" of the JSON document is not a list'],
    ['a list without the enclosing object', '[]', 'the JSON document is a list, not an object with a member "items"'],
  ])('refuses %s', async (_what, document, message) => {
    await expect(json(document)).rejects.toThrow(new BadFeed(message));
  });

  it.each([1, 64, 64 * 1024])('rejects only a record that is too large, in chunks of %i bytes', async (chunkBytes) => {
    const document = `{"items":[{"a":"${'x'.repeat(5000)}"},{"b":2}]}`;
    const slices = await shown(sliceJson(partOf(document, chunkBytes), { records: 'items', maxRecordBytes: 1000 }));
    expect(slices.map((slice) => slice.slice(0, 16))).toEqual(['broken@1 {"a":"x', 'record@1 {"b":2}']);
  });
});

describe('sliceLines', () => {
  it('accepts all line endings, also mixed, and a last line without a line ending', async () => {
    expect(await lines('\ufeffa\r\nb\nc\rd\r\n\r\n \n\ne')).toEqual([
      'record@1 a',
      'record@2 b',
      'record@3 c',
      'record@4 d',
      'record@8 e',
    ]);
  });

  it('finds no record in an empty document', async () => {
    expect(await lines('')).toEqual([]);
    expect(await lines('\r\n\n')).toEqual([]);
  });

  it.each([
    [
      'a line break in a field',
      '"1"!#"two\nlines"!#"x"\r\n"2"!#"b"',
      ['record@1 "1"!#"two\nlines"!#"x"', 'record@3 "2"!#"b"'],
    ],
    ['a blank line in a field', '"1"!#"two\n\nlines"\n"2"!#"b"', ['record@1 "1"!#"two\n\nlines"', 'record@4 "2"!#"b"']],
    ['a stray quotation mark', '"1"!#"19" wheel"\n"2" !#"b"', ['record@1 "1"!#"19" wheel"', 'record@2 "2" !#"b"']],
    [
      'a line break and a stray quotation mark in one field',
      '"1"!#"19" wheel,\nnew"!#"x"\n"2"!#"b"',
      ['record@1 "1"!#"19" wheel,\nnew"!#"x"', 'record@3 "2"!#"b"'],
    ],
    ['a field that starts with a line break', '"1"!#"\ntwo"\n"2"!#"b"', ['record@1 "1"!#"\ntwo"', 'record@3 "2"!#"b"']],
    [
      'a complete line without quotation marks after a stray quotation mark',
      `"1"!#"19" wheel"\n2${'!#'.repeat(19)}`,
      ['record@1 "1"!#"19" wheel"', `record@2 2${'!#'.repeat(19)}`],
    ],
    ['no quotation marks', '1!#2\n3!#4', ['record@1 1!#2', 'record@2 3!#4']],
  ])('joins the lines of one record: %s', async (_what, document, expected) => {
    expect(await lines(document, { joining: QUOTED_BANG_HASH_LINES })).toEqual(expected);
  });

  it.each(['<!DOCTYPE html><html>', '\n<?xml version="1.0"?>', '{"error": true}', 'PK\u0003\u0004', 'a\0b'])(
    'refuses %j',
    async (document) => {
      await expect(lines(document)).rejects.toThrow(BadFeed);
    },
  );

  it.each([1, 64, 64 * 1024])('rejects only a record that is too large, in chunks of %i bytes', async (chunkBytes) => {
    const slicing: LineSlicing = { joining: QUOTED_BANG_HASH_LINES, maxRecordBytes: 1000 };
    const long = `"0"!#"${'x'.repeat(5000)}"`;
    const piled = `"1"!#"${'line\n'.repeat(500)}"`;
    const document = [long, piled, '"2"!#"b"', long, '"3"!#"c"'].join('\r\n');
    const slices = await shown(sliceLines(partOf(document, chunkBytes), slicing));
    expect(slices.map((slice) => slice.slice(0, 15).replace(/\s/g, ' '))).toEqual([
      'broken@1 "0"!#"',
      'broken@2 "1"!#"',
      'record@503 "2"!',
      'broken@504 "0"!',
      'record@505 "3"!',
    ]);
  });
});

describe('slicing in chunks', () => {
  const documents: [string, string, (part: FeedDocument) => AsyncIterable<Slice>][] = [
    ['XML', ODD_XML, (part) => sliceXml(part, KYERO)],
    [
      'broken XML',
      '<root>\n<property><a><b></a></property>\n<agent>x</agent><property>2</property></rot>',
      (part) => sliceXml(part, KYERO),
    ],
    ['truncated XML', ODD_XML.slice(0, 400), (part) => sliceXml(part, KYERO)],
    [
      'JSON',
      '{"total": 2, "x": ["}", {"\\"": 1.5e3}],\n"items": [{"é😀": "\\\\"}, {"b": [[]]}, -1 ,true], "y": null}',
      (part) => sliceJson(part, { records: 'items', envelope: ['total', 'y'] }),
    ],
    [
      'lines',
      '"1"!#"two\r\nli"nes"!#"x"\r\n\r\n"2"!#"b"\r"3"!#"c\n\nd"',
      (part) => sliceLines(part, { joining: QUOTED_BANG_HASH_LINES }),
    ],
  ];

  it.each(documents)('finds the same slices in %s wherever a chunk ends', async (_what, document, slice) => {
    const bytes = Buffer.from(document);
    const expected = await shown(slice(partOf(bytes, bytes.length)));
    expect(expected.length).toBeGreaterThan(1);
    for (let chunkBytes = 1; chunkBytes < bytes.length; chunkBytes += 1) {
      expect(await shown(slice(partOf(bytes, chunkBytes)))).toEqual(expected);
    }
  });
});
