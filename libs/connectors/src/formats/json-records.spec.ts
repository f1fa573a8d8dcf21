import { RecordError, type Slice } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { jsonRecords } from './json-records';

const format = jsonRecords({
  records: 'items',
  envelope: ['total', 'next'],
  declaredCount: 'total',
  raw: { public: ['id'], private: {} },
});
const { context } = recordingContext('demo');

async function slice(text: string): Promise<Slice[]> {
  const slices: Slice[] = [];
  for await (const one of format.slice(feedDocument(text))) slices.push(one);
  return slices;
}

it.each(['5', '"5"'])('jsonRecords finds the number of records that the feed declares as %s', async (total) => {
  const slices = await slice(`{"total":${total},"items":[{"id":1}],"next":null}`);
  expect(slices.filter((one) => one.kind === 'declared')).toEqual([{ kind: 'declared', count: 5 }]);
  expect(slices.filter((one) => one.kind === 'record')).toHaveLength(1);
});

it.each([
  ['{"total":5}', [{ kind: 'declared', count: 5 }]],
  ['{"total":"5","next":"x"}', [{ kind: 'declared', count: 5 }]],
  ['{"total":null}', []],
  ['null', []],
  ['5', []],
  ['{"total":05}', []],
])('jsonRecords reads a declared number inside a member only when it is valid: %s', async (page, expected) => {
  const nested = jsonRecords({
    records: 'items',
    envelope: ['page'],
    declaredCount: 'page.total',
    raw: { public: [], private: {} },
  });
  const declared: Slice[] = [];
  for await (const one of nested.slice(feedDocument(`{"page":${page},"items":[]}`)))
    if (one.kind === 'declared') declared.push(one);
  expect(declared).toEqual(expected);
});

it('jsonRecords finds no declared number when the member has no value', async () => {
  expect((await slice('{"total":null,"items":[]}')).filter((one) => one.kind === 'declared')).toEqual([]);
});

it('jsonRecords keeps the numbers and texts of a record unchanged', () => {
  expect(format.parse(Buffer.from('{"id":1,"ref":"007"}'), context)).toEqual({ id: 1, ref: '007' });
});

it('jsonRecords keeps every digit of an identifier that is too large for a number', () => {
  const text =
    '{"id":20260101123456789012,"n":[-9007199254740993 ,1e20],"t":"of, 12345678901234567890, \\"x\\"","f":0.12345678901234567}';
  expect(format.parse(Buffer.from(text), context)).toEqual({
    ...{ id: '20260101123456789012', n: ['-9007199254740993', 1e20], t: 'of, 12345678901234567890, "x"' },
    f: 0.12345678901234567,
  });
});

it.each(['', '[]', 'null', '42', '"x"', '{"id":', '{"a":1}x'])('jsonRecords rejects the record %j', (text) => {
  expect(() => format.parse(Buffer.from(text), context)).toThrow(RecordError);
});
