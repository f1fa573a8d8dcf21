import { BadFeed } from '@passerelle/domain';

import type { Slice } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { fileContentIn, openImmoTransfers } from './openimmo-transfers';
import type { XmlRecord } from './xml-records';

const format = openImmoTransfers({ raw: { public: ['id', 'anhaenge'], private: {} } });
const VOLL = '<uebertragung umfang="VOLL" timestamp="2024-04-01T00:00:00"/>';
const agency = (anid: string, ...immobilien: string[]): string =>
  `<anbieter><firma>Firma ${anid}</firma><openimmo_anid>${anid}</openimmo_anid>${immobilien.join('')}</anbieter>`;
const immobilie = (id: string): string => `<immobilie><id>${id}</id></immobilie>`;

/** Returns slices as short texts, and records with the agency that the mapping reads. */
async function read(...content: string[]): Promise<string[]> {
  const feed: Record<string, unknown> = {};
  const shown: string[] = [];
  for await (const slice of format.slice(feedDocument(`<openimmo>${content.join('')}</openimmo>`)))
    shown.push(show(slice, feed));
  return shown.filter((line) => line !== '');
}

function show(slice: Slice, feed: Record<string, unknown>): string {
  switch (slice.kind) {
    case 'context':
      feed[slice.name] = format.parseContext?.(slice.name, slice.bytes, feed);
      return '';
    case 'record': {
      const { firma = '-', openimmo_anid: anid = '-' } = feed['anbieter'] as Record<string, string>;
      const { context } = recordingContext('openimmo');
      return `${format.parse(slice.bytes, context)['id'] as string} of ${anid}, ${firma}${'isDeletion' in (feed['uebertragung'] as object) ? ', deleted' : ''}`;
    }
    case 'scope':
      return `everything of ${slice.scope === '' ? 'nobody' : slice.scope}`;
    default:
      return slice.kind;
  }
}

describe('an OpenImmo transfer', () => {
  it('gives each record the agency that contains it', async () => {
    expect(await read(VOLL, agency('A', immobilie('1'), immobilie('2')), agency('B', immobilie('1')))).toEqual([
      '1 of A, Firma A',
      '2 of A, Firma A',
      '1 of B, Firma B',
      'everything of A',
      'everything of B',
    ]);
  });

  it('does not give an agency without a name the name of the previous one', async () => {
    const nameless = `<anbieter><openimmo_anid>B</openimmo_anid>${immobilie('2')}</anbieter>`;
    expect(await read(VOLL, agency('A', immobilie('1')), nameless)).toEqual([
      '1 of A, Firma A',
      '2 of B, -',
      'everything of A',
      'everything of B',
    ]);
  });

  it('may have its agency and its transfer data after the records', async () => {
    const late = `<anbieter>${immobilie('1')}${immobilie('2')}<openimmo_anid>A</openimmo_anid><firma>F</firma></anbieter>`;
    expect(await read(late, '<uebertragung modus="delete"/>')).toEqual(['1 of A, F, deleted', '2 of A, F, deleted']);
  });

  it('covers an agency without objects', async () => {
    expect(await read(VOLL, agency('A'), agency('B', immobilie('1')))).toEqual([
      '1 of B, Firma B',
      'everything of A',
      'everything of B',
    ]);
  });

  it.each([
    ['umfang="VOLL"', true],
    ['umfang="voll"', true],
    ['UMFANG="Voll"', true],
    ['art="ONLINE"', true],
    ['umfang="TEIL"', false],
    ['umfang="teil"', false],
    ['umfang="KOMPLETT"', false],
    ['umfang="VOLL" modus="DELETE"', false],
  ])('with %s covers all listings of its agencies: %s', async (attributes, isWhole) => {
    const shown = await read(`<uebertragung xmlns="" ${attributes}/>`, agency('A', immobilie('1')));
    expect(shown.includes('everything of A')).toBe(isWhole);
  });

  it('is incomplete when it claims to list everything but names no agency', async () => {
    expect(await read(VOLL)).toEqual(['incomplete']);
    expect(await read(VOLL, '<anbieter/>')).toEqual(['incomplete']);
    expect(await read('<uebertragung umfang="TEIL"/>')).toEqual([]);
  });

  it('assigns no agency to objects outside an agency', async () => {
    expect(await read(VOLL, immobilie('1'))).toEqual(['1 of -, -', 'everything of nobody']);
  });

  it('has the same content when only its timestamp differs', () => {
    const says = (timestamp: string): unknown =>
      format.parseContext?.('uebertragung', Buffer.from(`<uebertragung umfang="VOLL" timestamp="${timestamp}"/>`), {});
    expect(says('2024-04-01')).toEqual(says('2024-04-02'));
  });

  it.each(['<openimmo_feedback/>', '<html><body>Login</body></html>', ''])(
    'is refused when it is %j',
    async (document) => {
      const slices = format.slice(feedDocument(document))[Symbol.asyncIterator]();
      await expect(slices.next()).rejects.toThrow(BadFeed);
    },
  );
});

describe('pictures inside an OpenImmo record', () => {
  const { context } = recordingContext('openimmo');
  const parse = (content: string): unknown => format.parse(Buffer.from(`<immobilie>${content}</immobilie>`), context);

  it('stay unparsed and can be read by their numbers', () => {
    const record = parse('<anhang><anhanginhalt>AAAA</anhanginhalt></anhang><id>1</id>') as XmlRecord;
    expect(record).toEqual({ anhang: { anhanginhalt: '0' }, id: '1' });
    expect([fileContentIn(record, '0'), fileContentIn(record, '1')]).toEqual([Buffer.alloc(3), undefined]);
  });

  it('are found in order, with prefixes, attributes and CDATA', () => {
    const inhalt =
      '<oi:anhanginhalt kind="b64"><![CDATA[AA/+]]></oi:anhanginhalt><anhanginhalt>BB==</anhanginhalt><anhanginhalt/>';
    const record = parse(`${inhalt}<id>1</id>`) as XmlRecord;
    expect([fileContentIn(record, '0'), fileContentIn(record, '1')]).toEqual([
      Buffer.from('AA/+', 'base64'),
      Buffer.from('BB==', 'base64'),
    ]);
    expect(record).toEqual({ anhanginhalt: [{ '@kind': 'b64', '#text': '0' }, '1', ''], id: '1' });
  });

  it('are not confused with the same word in a text', () => {
    expect(parse('<text>anhanginhalt: keiner</text>')).toEqual({ text: 'anhanginhalt: keiner' });
  });

  it('are not parsed, however large they are', () => {
    const picture = 'A'.repeat(8 * 1024 * 1024);
    const record = Buffer.from(`<immobilie><anhanginhalt>${picture}</anhanginhalt><id>1</id></immobilie>`);
    expect(format.parse(record, context)).toEqual({ anhanginhalt: '0', id: '1' });
  });
});
