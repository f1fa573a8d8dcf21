import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { FeedPart } from '../kit/contracts';
import { recordingContext } from '../kit/testing/recording-context';
import { xmlRecords } from './xml-records';

/** A reproducible sequence of whole numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * n);
  };
}

type Roll = ReturnType<typeof dice>;

// Names that are equal at every depth, also to that of records.
const NAMES = ['record', 'a', 'b', 'list', 'record-part', 'Récord', 'x.y'];
const TEXTS = [
  ...['1e5', '01067', '0x10', '+336', 'true', 'null', 'Un &amp; deux', '&lt;b&gt;', '&quot;&apos;', 'été €', '12 m²'],
  ...['a ]] b', '> <!', '日本 😀', 'R&amp;D &amp;amp; co', '-', '</record', '/>'],
].map((text) => text.replace(/<(?!b)/g, '&lt;'));
const CDATA = ['<record>', '</record>', '</records>', '<!-- x', '& &amp; <b>', ']] >', '<record/><record>', '?>'];
const ASIDES = [
  '<!-- <record>no</record> -->',
  '<!-- </records> - > -->',
  '<?php <record> ?>',
  '<?x </record>?>',
  '\n',
  ' ',
  '\t\r\n',
];
const ATTRIBUTES = [
  ' id="1"',
  " id='a > b'",
  ' x = "/record>"',
  ' n="1" m=\'"\'',
  ' long="&lt;record&gt;"',
  '\n y="2"',
];

function pick<T>(roll: Roll, list: readonly T[]): T {
  return list[roll(list.length)] as T;
}

function aside(roll: Roll): string {
  return roll(3) === 0 ? pick(roll, ASIDES) : '';
}

function attributes(roll: Roll): string {
  return roll(3) === 0 ? pick(roll, ATTRIBUTES) : '';
}

/** An element with everything in it that can look like the end of a record. */
function element(roll: Roll, name: string, depth: number): string {
  const open = `<${name}${attributes(roll)}`;
  const kind = roll(depth > 4 ? 4 : 8);
  if (kind === 0) return `${open}/>`;
  if (kind === 1) return `${open}><![CDATA[${pick(roll, CDATA)}]]></${name}>`;
  if (kind < 4) return `${open}>${pick(roll, TEXTS)}</${name}${pick(roll, ['', ' ', '\n'])}>`;
  const children = Array.from({ length: 1 + roll(4) }, () => aside(roll) + element(roll, pick(roll, NAMES), depth + 1));
  return `${open}>${children.join('')}${aside(roll)}</${name}>`;
}

function aDocument(roll: Roll): { xml: string; count: number } {
  const count = roll(6);
  const records = Array.from({ length: count }, () => aside(roll) + element(roll, 'record', 1));
  const head = pick(roll, [
    '',
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '\ufeff<?xml version="1.0"?>',
    '<!-- <records> -->',
  ]);
  return { xml: `${head}<records${attributes(roll)}>${records.join('')}${aside(roll)}</records>\n`, count };
}

function inChunks(xml: string, roll: Roll): FeedPart {
  const bytes = Buffer.from(xml);
  const sizes = [1, 2, 3, 7, 64, 1_000, 100_000];
  return {
    name: 'document',
    // eslint-disable-next-line @typescript-eslint/require-await -- a part is read asynchronously, wherever it lies
    async *open() {
      for (let at = 0; at < bytes.length;) {
        const size = pick(roll, sizes);
        yield bytes.subarray(at, at + size);
        at += size;
      }
    },
  };
}

const WHOLE = new XMLParser({
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  ignorePiTags: true,
  ignoreDeclaration: true,
  trimValues: true,
  isArray: (_name, path) => path === 'records.record',
});
const CUT = xmlRecords({ root: 'records', record: 'record', raw: { public: [], private: {} } });

describe('cutting a document into records', () => {
  it.each(Array.from({ length: 40 }, (_, n) => n + 1))('agrees with parsing it whole, series %i', async (seed) => {
    const roll = dice(seed * 7_919);
    for (let n = 0; n < 25; n += 1) {
      const { xml, count } = aDocument(roll);
      // The reference must take the document for well-formed: else there is nothing to agree with.
      expect([xml, XMLValidator.validate(xml.replace(/^\ufeff/, ''))]).toEqual([xml, true]);
      const whole = WHOLE.parse(xml) as { records: { record?: unknown[] } | string };
      const records = typeof whole.records === 'string' ? [] : (whole.records.record ?? []);
      const cut: unknown[] = [];
      for await (const slice of CUT.slice(inChunks(xml, roll))) {
        if (slice.kind === 'record') cut.push(CUT.parse(slice.bytes, recordingContext('x').context));
        else expect([xml, slice]).toEqual([xml, { ...slice, kind: 'context' }]);
      }
      expect([xml, cut.length]).toEqual([xml, count]);
      expect([xml, cut]).toEqual([xml, records.map(asObject)]);
    }
  });
});

/** A record with text alone is a text to one parser, and an object to the other. */
function asObject(record: unknown): unknown {
  if (typeof record !== 'string') return record;
  return record === '' ? {} : { '#text': record };
}
