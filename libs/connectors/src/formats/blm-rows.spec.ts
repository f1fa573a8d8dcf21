import { BadFeed } from '@passerelle/domain';

import type { FeedDocument, RecordContext } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { surveyed } from '../../../../test/support/connectors/read-records';
import { blmRows } from './blm-rows';

const format = blmRows({ isPublic: () => true, private: {} });

interface File {
  header?: string[];
  definition?: string;
  rows?: string[];
  end?: string;
}

/** A file with three columns separated by `^` and rows that end with `~`, as in version 3. */
function aFile({
  header = ["EOF : '^'", "EOR : '~'"],
  definition = 'AGENT_REF^TOWN^SUMMARY^~',
  rows = [],
  end = '#END#\r\n',
}: File): string {
  return ['#HEADER#', 'Version : 3', ...header, '', '#DEFINITION#', definition, '', '#DATA#', ...rows, end].join(
    '\r\n',
  );
}

const partOf = (text: string, chunkBytes: number): FeedDocument =>
  feedDocument(Buffer.from(text, 'latin1'), () => chunkBytes);

/** Returns the slices as short texts, with slashes between the cells of a row. */
async function read(text: string, chunkBytes = 64 * 1024): Promise<string[]> {
  const shown: string[] = [];
  const feed: Record<string, unknown> = {};
  const context: RecordContext = { crm: 'blm', settings: {}, feed, warn: () => undefined };
  Object.assign(feed, await surveyed({ format }, Buffer.from(text, 'latin1')));
  for await (const slice of format.slice(partOf(text, chunkBytes))) {
    if (slice.kind === 'context') feed[slice.name] = format.parseContext?.(slice.name, slice.bytes, feed);
    else if (slice.kind === 'record') {
      try {
        shown.push(`${slice.line}: ${Object.values(format.parse(slice.bytes, context)).join('/')}`);
      } catch (error) {
        shown.push(`${slice.line}: ${(error as Error).message}`);
      }
    } else if (slice.kind === 'broken') shown.push(`${slice.line}: broken, ${slice.message}`);
    else if (slice.kind === 'declared') shown.push(`declared ${slice.count}`);
    else if (slice.kind === 'incomplete' || slice.kind === 'noticed') shown.push(slice.message);
  }
  return shown;
}

describe('BLM header reader', () => {
  it.each([
    ['in single quotation marks', ["EOF : '|'", "EOR : '!'"]],
    ['without blanks', ["EOF:'|'", "EOR:'!'"]],
    ['without quotation marks', ['EOF : |', 'EOR : !']],
    ['in lower case', ["eof : '|'", "eor : '!'"]],
    ['in double quotation marks', ['EOF : "|"', 'EOR : "!"']],
  ])('takes the end marks of cells and rows from the header: %s', async (_title, header) => {
    const file = aFile({ header, definition: 'AGENT_REF|TOWN|SUMMARY|!', rows: ['1|Fictown|^ and ~ are text|!'] });
    expect(await read(file)).toEqual(['10: 1/Fictown/^ and ~ are text']);
  });

  it.each(['Property Count : 1', 'PROPERTY COUNT:1', 'property_count : "1"', 'PropertyCount : 1'])(
    'reads the key %s',
    async (key) => {
      const file = aFile({ header: ["EOF : '^'", "EOR : '~'", key], rows: ['1^A^B^~'] });
      expect((await read(file)).at(-1)).toBe('declared 1');
    },
  );

  it.each([
    ['3', '^'],
    ['3i', '|'],
  ])('uses the marks of version %s when the header declares none', async (version, separator) => {
    const row = ['1', 'Fictown', 'text', '~'].join(separator);
    const definition = ['AGENT_REF', 'TOWN', 'SUMMARY', '~'].join(separator);
    expect(await read(`#HEADER#\nVersion : ${version}\n#DEFINITION#\n${definition}\n#DATA#\n${row}\n#END#`)).toEqual([
      '6: 1/Fictown/text',
    ]);
  });

  it.each(['AGENT_REF^TOWN^SUMMARY^', 'AGENT_REF^TOWN^SUMMARY', ' agent_ref ^ Town ^ SUMMARY ^~'])(
    'reads a definition without its end mark, or in another case: %s',
    async (definition) => {
      expect(await read(aFile({ definition, rows: ['1^A^B^~', '2^C^D^~'] }))).toEqual(['10: 1/A/B', '11: 2/C/D']);
    },
  );

  it('accepts section marks in any case', async () => {
    expect(await read(aFile({ rows: ['1^A^B^~'] }).replace(/#\w+#/g, (mark) => mark.toLowerCase()))).toEqual([
      '10: 1/A/B',
    ]);
  });

  it.each([
    ['an HTML page', '<html><body>502</body></html>', 'looks like an HTML page'],
    ['JSON', '{"a":1}', 'looks like JSON'],
    ['a file that ends in its header', '#HEADER#\nVersion : 3\n#DEFINITION#\nAGENT_REF^', 'ends before its #DATA#'],
    ['a definition without AGENT_REF', aFile({ definition: 'A|B|~' }), 'has no column AGENT_REF'],
    ['an endless header', `#HEADER#\n${'x : 1\n'.repeat(100_000)}`, 'no #DEFINITION#'],
  ])('refuses %s', async (_title, text, message) => {
    await expect(read(text)).rejects.toThrow(BadFeed);
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe('BLM rows', () => {
  it.each([1, 2, 3, 7, 64, 64 * 1024])('are the same in chunks of %d bytes', async (chunkBytes) => {
    const rows = ['1^A^raw\nline\r\nfeeds^~', '2^B^costs ~ 5^~', '3^~', '4^C^D^~5^E^F^~', '', '6^G^H~'];
    expect(await read(aFile({ rows, header: ["EOF : '^'", "EOR : '~'", 'Property Count : 6'] }), chunkBytes)).toEqual([
      '11: 1/A/raw\nline\r\nfeeds',
      '14: 2/B/costs ~ 5',
      '15: the row has 2 cells, the definition 3 columns',
      '16: 4/C/D',
      '16: 5/E/F',
      '18: 6/G/H',
      'declared 6',
    ]);
  });

  it('are rejected when they lack columns, but the next row is read', async () => {
    expect(await read(aFile({ rows: ['1^~', '2^B^C^~', 'x~', '3^D^E^~'] }))).toEqual([
      '10: the row has 2 cells, the definition 3 columns',
      '11: 2/B/C',
      '12: the row has 1 cells, the definition 3 columns',
      '13: 3/D/E',
    ]);
  });

  it('are rejected when a separator inside a text shifts the columns', async () => {
    expect(await read(aFile({ rows: ['1^A^one^two^~', '2^B^C^~'] }))).toEqual([
      '10: the row has 5 cells, the definition 3 columns',
      '11: 2/B/C',
    ]);
  });

  it('take the first non-empty value of columns with the same name', async () => {
    const definition = 'AGENT_REF^TOWN^SUMMARY^TOWN^~';
    expect(await read(aFile({ definition, rows: ['1^^a^Second^~', '2^First^b^Second^~', '3^First^c^^~'] }))).toEqual([
      '10: 1/Second/a',
      '11: 2/First/b',
      '12: 3/First/c',
    ]);
  });

  it('do not need line ends, and may end with CR only', async () => {
    expect(await read(aFile({ rows: ['1^A^B^~2^C^D^~'] }))).toEqual(['10: 1/A/B', '10: 2/C/D']);
    expect(await read(aFile({ rows: ['1^A^B^~', '2^C^D^~'] }).replaceAll('\r\n', '\r'))).toEqual([
      '10: 1/A/B',
      '11: 2/C/D',
    ]);
  });

  it('may be absent', async () => {
    expect(await read(aFile({ header: ["EOF : '^'", "EOR : '~'", 'Property Count : 0'] }))).toEqual(['declared 0']);
  });

  it('are dropped in constant memory when they are too large', async () => {
    const rows = [`1^A^${'x'.repeat(3 * 1024 * 1024)}^~`, '2^B^C^~'];
    expect(await read(aFile({ rows }))).toEqual(['10: broken, the row is larger than 1048576 bytes', '11: 2/B/C']);
  });
});

describe('end of a BLM file', () => {
  const declared = ["EOF : '^'", "EOR : '~'", 'Property Count : 2'];

  it('may lack #END#, because the declared count shows whether rows are missing', async () => {
    expect(await read(aFile({ header: declared, rows: ['1^A^B^~', '2^C^D^~'], end: '' }))).toEqual([
      '11: 1/A/B',
      '12: 2/C/D',
      'declared 2',
    ]);
  });

  it('causes a warning when it lacks #END# and there is no declared count, because rows may be missing', async () => {
    expect(await read(aFile({ rows: ['1^A^B^~'], end: '' }))).toEqual([
      '10: 1/A/B',
      'neither this mark nor a Property Count: missing rows would not be noticed',
    ]);
  });

  it('makes the file incomplete when it is inside a row', async () => {
    expect(await read(aFile({ header: declared, rows: ['1^A^B^~', '2^C^Dem'], end: '' }))).toEqual([
      '11: 1/A/B',
      '12: broken, the row has no end',
      'the file ends inside the row that starts at line 12',
      'declared 2',
    ]);
  });

  it('makes the file incomplete when it falls on a row mark inside a text and there is no declared count', async () => {
    expect(await read(aFile({ rows: ['1^A^B^~', '2^Demo~'], end: '' }))).toEqual([
      '10: 1/A/B',
      '11: the row has 2 cells, the definition 3 columns',
      'the file ends inside a row',
    ]);
    const whole = ['1^A~B^C^~', '2^D~E^F^~'];
    expect((await read(aFile({ rows: whole, end: '' }))).at(-1)).toContain('missing rows would not be noticed');
    expect((await read(aFile({ rows: ['1^A^B^~', 'End of file~'], end: '' }))).at(-1)).toContain(
      'missing rows would not be noticed',
    );
  });

  it('makes the file incomplete when it is inside a row that is too large', async () => {
    expect(await read(aFile({ rows: [`1^A^${'x'.repeat(2 * 1024 * 1024)}`], end: '' }))).toEqual([
      '10: broken, the row is larger than 1048576 bytes',
      'the file ends inside the row that starts at line 10',
    ]);
  });

  it.each([1, 5, 64 * 1024])('closes a last row that lacks its end mark, in chunks of %d bytes', async (chunkBytes) => {
    expect(await read(aFile({ rows: ['1^A^B^~', '2^C^D^'] }), chunkBytes)).toEqual(['10: 1/A/B', '11: 2/C/D']);
  });

  it('makes the file incomplete when another file follows it', async () => {
    const file = aFile({ rows: ['1^A^B^~'] });
    expect(await read(file + file)).toEqual(['10: 1/A/B', 'another file follows the #END#']);
    expect(await read(`${file}\r\n\x1a`)).toEqual(['10: 1/A/B']);
  });
});

describe('BLM rows whose last column is empty', () => {
  const whole = ['1^A^a^~', '2^B^b^~'];

  it('are rejected when a separator inside a text gives them more cells than whole rows', async () => {
    expect(await read(aFile({ rows: [...whole, '3^C ^ D^^~', '4^E^^~'] }))).toEqual([
      '10: 1/A/a',
      '11: 2/B/b',
      '12: the row has 5 cells, whole rows have 4',
      '13: 4/E/',
    ]);
  });

  it('are rejected when a separator inside a text gives them more cells than whole rows, in a file without last separators', async () => {
    const definition = 'AGENT_REF^TOWN^SUMMARY~';
    expect(await read(aFile({ definition, rows: ['1^A^a~', '2^B^b~', '3^C ^ D^~', '4^E^~'] }))).toEqual([
      '10: 1/A/a',
      '11: 2/B/b',
      '12: the row has 4 cells, whole rows have 3',
      '13: 4/E/',
    ]);
  });

  it('are read when all rows end with more separators than the definition', async () => {
    expect(await read(aFile({ rows: ['1^A^a^^~', '2^B^b^^~', '3^C^^^~'] }))).toEqual([
      '10: 1/A/a',
      '11: 2/B/b',
      '12: 3/C/',
    ]);
  });

  it('are recognised as shifted when they lack the last separator and a flag column contains text', async () => {
    const definition = 'AGENT_REF^SUMMARY^TOWN^PUBLISHED_FLAG^SIZE^~';
    const rows = [
      '1^a^Upper Fictown^1^^~',
      '2^b^Upper Fictown^0^^~',
      '3^c ^ d^Upper Fictown^1^~',
      '4^e^Upper Fictown^yes^~',
    ];
    expect(await read(aFile({ definition, rows }))).toEqual([
      '10: 1/a/Upper Fictown/1/',
      '11: 2/b/Upper Fictown/0/',
      '12: PUBLISHED_FLAG holds a text: a separator inside a text has shifted the row',
      '13: 4/e/Upper Fictown/yes/',
    ]);
  });

  it('are read with and without the last separator when a file mixes both', async () => {
    expect(await read(aFile({ rows: ['1^A^a^~', '2^B^b~', '3^C^c~', '4^D^d~', '5^E^^~'] }))).toEqual([
      '10: 1/A/a',
      '11: 2/B/b',
      '12: 3/C/c',
      '13: 4/D/d',
      '14: 5/E/',
    ]);
  });

  it.each([
    [
      'a town in the price column',
      'AGENT_REF^SUMMARY^BEDROOMS^TOWN^PRICE^TENURE^~',
      '3^c ^ a view of it^3^Leeds^250000^~',
      'BEDROOMS and PRICE',
    ],
    [
      'a date in the postcode column',
      'AGENT_REF^SUMMARY^CREATE_DATE^POSTCODE2^TENURE^~',
      '3^c^ with a view^2024-03-04 10:00:00^4AP^~',
      'CREATE_DATE and POSTCODE2',
    ],
  ])(
    'are recognised as shifted when two columns are unreadable, even with as many cells as whole rows: %s',
    async (_what, definition, row, names) => {
      const shown = await read(aFile({ definition, rows: [row] }));
      expect(shown).toEqual([`10: ${names} cannot be read: a separator inside a text has shifted the row`]);
    },
  );

  it('are read when they contain words and placeholders of exporters instead of numbers', async () => {
    const definition = 'AGENT_REF^BEDROOMS^PRICE^STATUS_ID^PROP_SUB_ID^POSTCODE1^POSTCODE2^CREATE_DATE^~';
    const rows = [
      '1^Studio^POA^For Sale^Semi-detached house^XX^XX^4/3/24^~',
      '2^three^On request^0^1^LS1^4AP^20240304^~',
    ];
    expect(await read(aFile({ definition, rows }))).toEqual([
      '10: 1/Studio/POA/For Sale/Semi-detached house/XX/XX/4/3/24',
      '11: 2/three/On request/0/1/LS1/4AP/20240304',
    ]);
  });

  it.each([
    ['a date', 'CREATE_DATE', '2024-03-04 10:00:00'],
    ['a flag', 'NEW_HOME_FLAG', 'N'],
    ['a picture', 'MEDIA_IMAGE_00', 'a1_IMG_00.jpg'],
  ])(
    'are recognised as shifted when they lack the last separator and the next cell holds %s',
    async (_what, column, cell) => {
      const definition = `AGENT_REF^SUMMARY^SIZE^${column}^MEDIA_IMAGE_TEXT_00^~`;
      const rows = [`1^a^1^${cell}^^~`, `2^b^2^${cell}^^~`, `3^c^d^3^${cell}^~`, `4^e^^^St. John.jpg^~`];
      expect(await read(aFile({ definition, rows }))).toEqual([
        `10: 1/a/1/${cell}/`,
        `11: 2/b/2/${cell}/`,
        `12: ${column} is in the next cell: a separator inside a text has shifted the row`,
        '13: 4/e///St. John.jpg',
      ]);
    },
  );

  it('are rejected when they have lost a separator and nearly all other rows end with one', async () => {
    const others = ['1', '2', '3', '4', '5'].map((id) => `${id}^A^a^~`);
    expect((await read(aFile({ rows: [...others, '6A^a^~'] }))).at(-1)).toBe(
      '15: the row has 3 cells, whole rows have 4',
    );
    expect((await read(aFile({ rows: [...others.slice(1), '6^A^a~'] }))).at(-1)).toBe('14: 6/A/a');
  });

  it('are compared with the definition when they are the only row of a file', async () => {
    expect(await read(aFile({ rows: ['1^A ^ B^^~'] }))).toEqual(['10: the row has 5 cells, whole rows have 4']);
    expect(await read(aFile({ rows: ['1^A^^~'] }))).toEqual(['10: 1/A/']);
  });
});
