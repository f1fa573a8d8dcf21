import { BadFeed } from '@passerelle/domain';

import { RecordError, type Slice } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { surveyed } from '../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { xmlRecords } from './xml-records';

const format = xmlRecords({
  root: 'root',
  record: 'item',
  context: ['agent'],
  lists: ['photo'],
  raw: { public: ['id', 'photo', 'town'], private: { notes: 'private' } },
});

async function slice(text: string): Promise<Slice[]> {
  const slices: Slice[] = [];
  for await (const one of format.slice(feedDocument(text))) slices.push(one);
  return slices;
}

function parse(bytes: Buffer, encoding?: string): { record: unknown; warnings: string[] } {
  const { context, warnings } = recordingContext(
    'demo',
    encoding === undefined ? {} : { feed: { '#encoding': encoding } },
  );
  return { record: format.parse(bytes, context), warnings };
}

describe('an XML feed', () => {
  it('yields records, context and the declared encoding', async () => {
    const slices = await slice(
      '<?xml version="1.0" encoding="ISO-8859-1"?><root><agent><name>A &amp; B</name></agent><item><id>1</id></item></root>',
    );
    expect(
      slices.map((one) =>
        one.kind === 'context' ? [one.name, format.parseContext?.(one.name, one.bytes, {})] : one.kind,
      ),
    ).toEqual([['#encoding', 'iso-8859-1'], ['agent', { name: 'A & B' }], 'record']);
  });

  it.each([
    '<html><body>x</body></html>',
    '<other/>',
    '<!DOCTYPE root [<!ENTITY x SYSTEM "file:///etc/hostname">]><root/>',
    '',
  ])('is refused when it is %j', async (text) => {
    await expect(slice(text)).rejects.toThrow(BadFeed);
  });
});

describe('numbers of an XML feed', () => {
  const surveyOf = async (items: string[], encode = (text: string): Buffer => Buffer.from(text)): Promise<unknown> => {
    const numbers = { amounts: ['price', 'rent'], areas: ['size'] };
    const learning = xmlRecords({ root: 'root', record: 'item', numbers, raw: { public: [], private: {} } });
    const bytes = encode(`<root>${items.map((item) => `<item>${item}</item>`).join('')}</root>`);
    return (await surveyed({ format: learning }, bytes))['numbers'];
  };
  const doubtful = '<price>235.000</price>';

  it.each([
    '<rent>1.235.000</rent>',
    '<price currency="EUR"> 1.235.000,00 \u20ac</price>',
    '<price><![CDATA[1.235.000]]></price>',
    '<a><x:price xmlns:x="urn:x">1.235.000</x:price></a>',
  ])('reveal their style in %s', async (telling) => {
    expect(await surveyOf([doubtful, telling])).toEqual({ amounts: { point: 'thousands' } });
    expect(await surveyOf([doubtful, telling], (text) => Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual({
      amounts: { point: 'thousands' },
    });
  });

  it.each(['<prices>1.235.000</prices>', '<note>1.235.000</note>', '<price>1.235.000', '<size>1.235.000</size>'])(
    'do not reveal their style in %s',
    async (other) => {
      expect(await surveyOf([doubtful, other])).toBeUndefined();
    },
  );
});

describe('an XML record', () => {
  it('has lists at the declared paths', () => {
    expect(parse(Buffer.from('<item><id>01</id><photo>a</photo></item>')).record).toEqual({ id: '01', photo: ['a'] });
  });

  it('is read, with a warning, when it declares UTF-8 but has another encoding', () => {
    expect(parse(Buffer.from('<item><town>Almuñécar</town></item>', 'latin1'), 'UTF-8')).toEqual({
      record: { town: 'Almuñécar' },
      warnings: ['wrong_encoding UTF-8'],
    });
  });

  it('is read as windows-1252 when it declares ISO-8859-1 but contains windows-1252 characters', () => {
    expect(parse(Buffer.from('<item><town>100 \x80</town></item>', 'latin1'), 'ISO-8859-1')).toEqual({
      record: { town: '100 €' },
      warnings: [],
    });
  });

  it.each([
    '<item>',
    '<item><a></b></item>',
    'x',
    '<item><__proto__>1</__proto__></item>',
    '<!DOCTYPE item [<!ENTITY e "e">]><item>&e;</item>',
  ])('is rejected when it is %j', (text) => {
    expect(() => parse(Buffer.from(text))).toThrow(RecordError);
  });
});
