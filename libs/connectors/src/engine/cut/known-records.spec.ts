import { hash } from 'node:crypto';
import { randomDocument } from '../../../../../test/support/connectors/random-xml';
import type { FeedDocument, RecognizedRecord, Slice } from '../../kit/contracts';
import { feedDocument } from '../../../../../test/support/connectors/feed-document';
import { choicesOf } from '../../../../../test/support/connectors/choices';
import { sliceXml } from './slicers';

const SLICING = { root: 'root', record: 'property', context: ['agent'] };
const FEED = {};

const hashOf = (record: Buffer): string => hash('sha256', record, 'hex');

interface Cut {
  slices: object[];
  /** The records' ids. */
  hashes: string[];
  recognized: number;
}

async function cut(part: FeedDocument, known: ReadonlySet<string> = new Set()): Promise<Cut> {
  const recognize = (record: Buffer): RecognizedRecord | undefined => {
    const hash = hashOf(record);
    return known.has(hash) ? { hash, feed: FEED } : undefined;
  };
  const result: Cut = { slices: [], hashes: [], recognized: 0 };
  for await (const slice of sliceXml({ ...part, recognize }, SLICING)) {
    result.slices.push(readable(slice));
    if (slice.kind !== 'record') continue;
    result.hashes.push(hashOf(slice.bytes));
    if (slice.recognized === undefined) continue;
    expect(slice.recognized).toEqual({ hash: hashOf(slice.bytes), feed: FEED });
    result.recognized += 1;
  }
  return result;
}

function readable(slice: Slice): object {
  if (!('bytes' in slice)) return slice;
  return { ...slice, bytes: slice.bytes.toString('latin1'), recognized: undefined };
}

describe('known-record recognition', () => {
  it.each(Array.from({ length: 8 }, (_, block) => block * 100 + 1))(
    'finds the same records as a full parse, from seed %i',
    async (seed) => {
      let recognized = 0;
      for (let at = seed; at < seed + 15; at += 1) {
        const document = randomDocument(choicesOf(at));
        const plain = await cut(feedDocument(document, () => 100_000));
        for (const share of [1, 2]) {
          const known = new Set(plain.hashes.filter((_, index) => index % share === 0));
          for (const chunkBytes of [7, 100, 100_000]) {
            const quick = await cut(
              feedDocument(document, () => chunkBytes),
              known,
            );
            expect({ document, slices: quick.slices }).toEqual({ document, slices: plain.slices });
            recognized += quick.recognized;
          }
        }
      }
      expect(recognized).toBeGreaterThan(20);
    },
  );

  it('distinguishes a known record from another record with the same beginning', async () => {
    const inner = '<property><id>1</id></property>';
    const document = `<root>${inner}<property><id>1</id></property ><property><id>1</id><!-- </property>--></property>${inner}</root>`;
    const plain = await cut(feedDocument(document));
    const quick = await cut(feedDocument(document), new Set([hashOf(Buffer.from(inner))]));
    expect(quick.slices).toEqual(plain.slices);
    expect(quick.recognized).toBe(2);
  });

  it('finds known records, whatever the length of the previous records', async () => {
    const record = (length: number, id: number): string => `<property><id>${id}</id>${'x'.repeat(length)}</property>`;
    const lengths = [...Array<number>(40).fill(2000), ...Array<number>(40).fill(20), 2000, 20, 900, 20, 5000, 20];
    const document = `<root>${lengths.map(record).join('\n')}</root>`;
    const plain = await cut(feedDocument(document));
    const known = new Set(plain.hashes.filter((_, index) => index !== 60));
    const quick = await cut(
      feedDocument(document, () => 1_000_000),
      known,
    );
    expect(quick.slices).toEqual(plain.slices);
    expect(quick.recognized).toBe(lengths.length - 1);
  });

  it('does not hash new records together with the bytes that follow them', async () => {
    const record = (length: number, id: number): string => `<property><id>${id}</id>${'x'.repeat(length)}</property>`;
    const lengths = [50_000, ...Array<number>(50).fill(20)];
    const records = lengths.map(record);
    const known = Buffer.from(records[0] ?? '');
    let hashedBytes = 0;
    const recognize = (bytes: Buffer): RecognizedRecord | undefined => {
      hashedBytes += bytes.length;
      return bytes.equals(known) ? { hash: hashOf(bytes), feed: FEED } : undefined;
    };
    const document = `<root>${records.join('')}${records.join('')}</root>`;
    const part = { ...feedDocument(document, () => 1_000_000), recognize };
    let cuts = 0;
    for await (const slice of sliceXml(part, SLICING)) if (slice.kind === 'record') cuts += 1;
    expect(cuts).toBe(2 * records.length);
    expect(hashedBytes).toBeLessThan(3 * document.length);
  });

  it('stops after a hundred new records in a row', async () => {
    const record = (id: number): string => `<property><id>${id}</id></property>`;
    const many = (count: number): string => Array.from({ length: count }, (_, at) => record(at + 1)).join('\n');
    const known = new Set([hashOf(Buffer.from(record(0)))]);
    const recognizedAfter = async (news: number, rounds = 1): Promise<number> =>
      (
        await cut(
          feedDocument(`<root>${`${many(news)}${record(0)}`.repeat(rounds)}</root>`, () => 100_000),
          known,
        )
      ).recognized;
    expect([await recognizedAfter(99), await recognizedAfter(100), await recognizedAfter(99, 3)]).toEqual([1, 0, 3]);
  });
});
