import { type Bucket, gatewayObject, type KeptGateway, sealKept } from '@passerelle/bucket';
import type { DatabaseClock, ServedGateway, ServedKey } from '@passerelle/database';
import { SecretBox } from '@passerelle/domain';
import { BucketGateways } from './bucket-gateways';
import type { DatabaseOrBucket } from './database-or-bucket';

type KeptKey = KeptGateway['keys'][number];

const NOW_MS = Date.parse('2026-05-01T12:00:00Z');
/** When the database was read, and what came before and behind. */
const [BEFORE_MS, READ_MS, BEHIND_MS] = [NOW_MS - 120_000, NOW_MS - 60_000, NOW_MS - 30_000];
const SNAPSHOT = { id: 7, token: 'a', total: 0, publishedAtMs: BEFORE_MS, confirmedAtMs: null };
const box = new SecretBox('what seals the gateways of this test');

const aKey = (id: number, expiresAtMs: number | null = null): KeptKey => ({
  ...{ id, expiresAtMs, hash: 'ab'.repeat(32), keyId: null, scope: 'both', networks: null },
});

const aReading = (said: Partial<ServedGateway> & { keptKeys?: KeptKey[] } = {}): ServedGateway => {
  const { keptKeys = [aKey(1)], ...others } = said;
  const keys = keptKeys.map((key) => ({ ...key, hash: Buffer.from(key.hash, 'hex') }) as ServedKey);
  return {
    ...{ id: 3, crm: 'kyero', client: 'agency', enabled: true, contractEnd: null, snapshot: SNAPSHOT, recent: [] },
    ...{ databaseMs: READ_MS, confirmedAtMs: null, confirmedAgeMs: null, connector: null, keys },
    ...others,
  };
};

const aWord = (said: Partial<KeptGateway> = {}): KeptGateway => ({
  ...{ id: 3, crm: 'kyero', client: 'agency', enabled: true, contractEnd: null, keys: [aKey(1)], connector: null },
  ...{ generation: BEFORE_MS, confirmedAtMs: null, current: 7, lists: [{ ...SNAPSHOT, index: 'b' }], next: null },
  ...said,
});

/** What a process reads of a gateway: of the database first, in this order, then of a bucket that says this of it. */
async function readOf(readings: (ServedGateway | null)[], word: KeptGateway): Promise<ServedGateway | null> {
  const objects = new Map([[gatewayObject('kyero', 'agency'), sealKept(word, box)]]);
  const bucket = { readWhole: (name: string) => Promise.resolve(objects.get(name) ?? null) } as Bucket;
  let left = readings;
  const database: Pick<DatabaseOrBucket, 'ask' | 'hasBucket' | 'outages'> = {
    ...{ hasBucket: true, outages: 1 },
    ask: (ofDatabase, ofBucket) => (left.length > 0 ? ofDatabase() : ofBucket(bucket)),
  };
  const find = (): Promise<ServedGateway | null> => {
    const [reading = null] = left;
    left = left.slice(1);
    return Promise.resolve(reading);
  };
  const gateways = new BucketGateways(
    { find },
    database as DatabaseOrBucket,
    box,
    { nowMs: () => NOW_MS } as DatabaseClock,
    { nowMs: () => NOW_MS, monotonicMs: () => 0 },
  );
  while (left.length > 0) await gateways.find('kyero', 'agency', 0);
  // Twice: what the bucket said is no reading of the database.
  await gateways.find('kyero', 'agency', 0).catch(() => undefined);
  return gateways.find('kyero', 'agency', 0);
}

/** Who may read. */
const accessOf = (gateway: ServedGateway | null): unknown => ({
  enabled: gateway?.enabled,
  contractEnd: gateway?.contractEnd,
  keys: gateway?.keys.map(({ id, expiresAtMs }) => [id, expiresAtMs]),
});

const OPEN = { enabled: true, contractEnd: null, keys: [[1, null]] };

// Real: what the bucket says, sealed. Fake: the bucket, the database, and which of them answers.
describe('a gateway that the bucket says less of than the database has said', () => {
  it.each<[string, Partial<ServedGateway> & { keptKeys?: KeptKey[] }, Partial<KeptGateway>, object]>([
    ['a key that was revoked', { keptKeys: [aKey(2)] }, { keys: [aKey(1), aKey(2)] }, { keys: [[2, null]] }],
    ['a key that ends sooner', { keptKeys: [aKey(1, NOW_MS + 5)] }, {}, { keys: [[1, NOW_MS + 5]] }],
    ['a key that the bucket ends sooner', {}, { keys: [aKey(1, NOW_MS + 5)] }, { keys: [[1, NOW_MS + 5]] }],
    ['a gateway that was disabled', { enabled: false }, {}, { enabled: false }],
    ['one that only the bucket disables', {}, { enabled: false }, { enabled: false }],
    ['a contract that ends', { contractEnd: '2026-04-30' }, {}, { contractEnd: '2026-04-30' }],
    [
      'one that ends later for the bucket',
      { contractEnd: '2026-04-30' },
      { contractEnd: '2027-04-30' },
      { contractEnd: '2026-04-30' },
    ],
    [
      'one that ends sooner for the bucket',
      { contractEnd: '2027-04-30' },
      { contractEnd: '2026-04-30' },
      { contractEnd: '2026-04-30' },
    ],
    ['a key that the bucket does not know', { keptKeys: [aKey(1), aKey(2)] }, {}, {}],
  ])('opens no further: %s', async (_, read, said, access) => {
    expect(accessOf(await readOf([aReading(read)], aWord(said)))).toEqual({ ...OPEN, ...access });
  });

  it('is not there where it was removed since it was served', async () => {
    expect(accessOf(await readOf([aReading(), null], aWord()))).toEqual({ ...OPEN, enabled: false, keys: [] });
  });
});

it.each<[string, Partial<KeptGateway>, string]>([
  ['has the list before and the next one', { next: { id: 9, index: 'c' } }, 'older than what was served'],
  [
    'has another list of its number',
    { current: 8, lists: [{ ...SNAPSHOT, id: 8, index: 'b' }] },
    'another list of the number 8',
  ],
])('what the bucket says of a gateway takes no list back: it %s', async (_, said, why) => {
  const served = aReading({ snapshot: { ...SNAPSHOT, id: 8, token: 'b' } });
  await expect(readOf([served], aWord(said))).rejects.toThrow(why);
});

it('what the bucket says of a gateway counts where it was written behind the last reading of the database', async () => {
  const word = aWord({ generation: BEHIND_MS, keys: [aKey(1), aKey(2)], contractEnd: '2027-04-30' });
  const read = aReading({ enabled: false, contractEnd: '2026-04-30' });
  expect(accessOf(await readOf([read], word))).toEqual({
    ...{ enabled: true, contractEnd: '2027-04-30' },
    keys: [
      [1, null],
      [2, null],
    ],
  });
});

it('a process that has not read a gateway takes the word of the bucket', async () => {
  expect(accessOf(await readOf([], aWord()))).toEqual(OPEN);
});
