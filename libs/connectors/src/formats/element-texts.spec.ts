import { ElementTexts } from './element-texts';

function textsOf(document: string, chunkBytes = Infinity, names = ['price', 'size']): string[] {
  const found: string[] = [];
  const texts = new ElementTexts(names, (name, text) => found.push(`${name} ${text}`));
  const bytes = Buffer.from(document);
  for (let at = 0; at < bytes.length; at += chunkBytes) texts.push(Buffer.from(bytes.subarray(at, at + chunkBytes)));
  texts.end();
  return found;
}

describe('ElementTexts', () => {
  it.each([
    ['<price>1.5</price>', 'price 1.5'],
    ['<price currency="EUR" >\n 1 500,00 \u20ac</price >', 'price 1 500,00 \u00e2\u0082\u00ac'],
    ['<price><![CDATA[235.000]]></price>', 'price 235.000'],
    ['<x:price>235.000</x:price>', 'price 235.000'],
    ['<size>85.5</size>', 'size 85.5'],
  ])('finds the text of %s', (document, text) => {
    expect(textsOf(`<root>${document}</root>`)).toEqual([text]);
  });

  it.each([
    '<prices>1.5</prices>',
    '<oldprice>1.5</oldprice>',
    '<price/>',
    '<price></price>',
    '<price>1.5',
    '<price>1.5</size>',
    '<price>1.5<b>0</b></price>',
    '<price>1&nbsp;500</price>',
    '</price>1.5</price>',
    'a price>1.5</price>',
    'urn:price>1.5</price>',
    `<price note="${'x'.repeat(1_000)}">1.5</price>`,
    `<price>${'1'.repeat(81)}</price>`,
  ])('finds no text in %s', (document) => {
    expect(textsOf(`<root>${document}</root>`)).toEqual([]);
  });

  it('reads a hostile document quickly', () => {
    const blank = ' '.repeat(900);
    for (const piece of [
      `<price>${blank}`,
      `<price>1${blank}`,
      `<price ${blank}`,
      `<price><![CDATA[${blank}`,
      '<price ',
      '<x:',
    ])
      expect(textsOf(`<root>${piece.repeat(Math.ceil(6_000_000 / piece.length))}</root>`, 65_536)).toEqual([]);
  });

  it('finds each text once, wherever the chunks of the document end', () => {
    const records = Array.from(
      { length: 60 },
      (_, n) =>
        `<item><text>a price of ${'x'.repeat((n * 37) % 1_300)}</text><x:price a="${n}">${n}.5</x:price></item>`,
    );
    const document = `<root>${records.join('\n')}</root>`;
    const whole = textsOf(document);
    expect(whole).toEqual(records.map((_, n) => `price ${n}.5`));
    for (let chunkBytes = 1; chunkBytes < 3_000; chunkBytes += chunkBytes < 80 ? 1 : 97)
      expect(textsOf(document, chunkBytes)).toEqual(whole);
  });
});
