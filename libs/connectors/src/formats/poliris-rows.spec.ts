import { BadFeed } from '@passerelle/domain';

import { RecordError, type Slice } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { surveyed } from '../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { polirisRows } from './poliris-rows';

const format = polirisRows({ numbers: { amounts: [], areas: [] }, private: { 3: 'private' } });

/** A line of `count` cells, with the given cells filled by rank. */
function line(cells: Record<number, string>, count = 334): string {
  return Array.from({ length: count }, (_, index) => `"${cells[index + 1] ?? ''}"`).join('!#');
}

function parse(text: string | Buffer): readonly string[] {
  return format.parse(Buffer.from(text as string), recordingContext('demo').context);
}

async function slice(text: string): Promise<Slice[]> {
  const slices: Slice[] = [];
  for await (const one of format.slice(feedDocument(text))) slices.push(one);
  return slices;
}

describe('a Poliris row', () => {
  it('has its cells at the ranks of the specification', () => {
    const row = parse(line({ 1: 'A', 2: 'B', 334: 'Z' }));
    expect([row[1], row[2], row[334], row.length]).toEqual(['A', 'B', 'Z', 335]);
  });

  it.each([
    ['blanks around the separator', (text: string) => text.replaceAll('"!#"', '" !# "')],
    ['a blank before the separator', (text: string) => text.replaceAll('"!#"', '" !#"')],
    ['a separator at its end', (text: string) => `${text}!#`],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['blanks at its end', (text: string) => `${text}  `],
    ['no quotation marks', (text: string) => text.replaceAll('"', '')],
  ])('may have %s', (_title, change) => {
    const row = parse(change(line({ 1: 'A', 2: 'B', 334: 'Z' })));
    expect([row[1], row[2], row[334], row.length]).toEqual(['A', 'B', 'Z', 335]);
  });

  it('keeps a stray quotation mark inside a text', () => {
    expect(parse(line({ 20: 'Maison "Les Pins"', 21: '"cité"' }))[20]).toBe('Maison "Les Pins"');
    expect(parse(line({ 20: 'x', 21: '"cité"' }))[21]).toBe('"cité"');
  });

  it('is not split by !# inside a text', () => {
    expect(parse(line({ 21: 'super!# prix' }))[21]).toBe('super!# prix');
  });

  it('may have the length of an older version', () => {
    const row = parse(line({ 1: 'A', 255: 'Y' }, 255));
    expect([row[255], row[264], row.length]).toEqual(['Y', undefined, 256]);
  });

  it.each([
    ['only three cells', '"A"!#"B"!#"C"'],
    ['only one word', 'garbage'],
    ['a truncated end', `${line({}, 30)}!#"Un texte cou`],
  ])('is rejected when it has %s', (_title, text) => {
    expect(() => parse(text)).toThrow(RecordError);
  });

  it('is decoded as windows-1252 or UTF-8, depending on its bytes', () => {
    const text = line({ 6: 'Ville' });
    expect(parse(Buffer.from(text.replace('Ville', '\x80\x92\x9c'), 'latin1'))[6]).toBe('€’œ');
    expect(parse(text.replace('Ville', '€’œ'))[6]).toBe('€’œ');
  });
});

describe('a raw Poliris row', () => {
  it('uses ranks as names and keeps cells unchanged, but omits private cells', () => {
    const { context } = recordingContext('demo');
    const raw = format.toRaw(parse(line({ 1: ' A ', 3: 'secret' })), context);
    expect([raw['1'], raw['2'], '3' in raw, Object.keys(raw).length]).toEqual([' A ', '', false, 333]);
  });

  it('omits ranks that the format does not know, and warns about those with a value', () => {
    const { context, warnings } = recordingContext('demo');
    const raw = format.toRaw(parse(line({ 336: 'x' }, 337)), context);
    expect(['335' in raw, '336' in raw, warnings]).toEqual([false, false, ['unmapped_field 336']]);
  });
});

describe('a Poliris file', () => {
  const whole = line({ 1: 'A' });

  it.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
    ['CR', '\r'],
  ])('may have %s line ends, blank lines and a last line without a line end', async (_title, end) => {
    const slices = await slice([whole, whole, '', whole].join(end));
    expect(slices.map((one) => one.kind)).toEqual(['record', 'record', 'record']);
  });

  it('is incomplete when its last line was cut', async () => {
    expect((await slice(`${whole}\r\n"A"!#"B"!#"C`)).map((one) => one.kind)).toEqual([
      'record',
      'record',
      'incomplete',
    ]);
    expect((await slice(`${whole}\r\n${whole.slice(0, 400)}"Un texte cou`)).at(-1)?.kind).toBe('incomplete');
  });

  it.each([
    ['inside a row that already has enough cells', `${whole}\r\n${whole}\r\n${line({}, 200)}`],
    ['after a separator', `${whole}\r\n${whole}\r\n${line({}, 200)}!#`],
    ['after the quotation mark that opens a cell', `${whole}\r\n${whole}\r\n${line({}, 200)}!#"`],
    ['at a line break within a text', `${whole}\r\n${whole}\r\n${line({}, 20)}!#"Une ligne\r\n`],
  ])('is incomplete when it was cut %s', async (_title, text) => {
    expect((await slice(text)).at(-1)?.kind).toBe('incomplete');
  });

  it('needs lines of the same length: a shorter line is rejected, a longer line is accepted', async () => {
    const lines = [whole, line({}, 300), whole, line({}, 340)].join('\r\n');
    const feed = await surveyed({ format }, Buffer.from(lines));
    const context = { ...recordingContext('demo').context, feed };
    const read = (text: string) => () => format.parse(Buffer.from(text), context);
    expect(read(line({}, 333))).toThrow("the line has 333 cells, the file's other lines have 334");
    expect(read(whole)).not.toThrow();
    expect(read(line({}, 340))).not.toThrow();
  });

  it('is complete when it contains a short line, or ends with a short line that has its line end', async () => {
    expect((await slice(`"A"!#"B"\r\n${whole}`)).map((one) => one.kind)).toEqual(['record', 'record']);
    expect((await slice(`${whole}\r\n"A"!#"B"\r\n`)).map((one) => one.kind)).toEqual(['record', 'record']);
  });

  it('keeps a line break inside a cell', async () => {
    const slices = await slice(`${line({ 21: 'Un\nDeux' })}\r\n${whole}\r\n`);
    expect(slices).toHaveLength(2);
    expect(parse((slices[0] as { bytes: Buffer }).bytes)[21]).toBe('Un\nDeux');
  });

  it('is rejected when it is a web page', async () => {
    await expect(slice('<html><body>Maintenance</body></html>')).rejects.toThrow(BadFeed);
  });
});
