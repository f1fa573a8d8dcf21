import type { Bucket } from '../store/bucket';
import { BucketError } from '../store/bucket';
import { ListReader } from './list-reader';
import { type FinishedPieces, writeList, type WrittenList } from './list-writer';

const versions = Array.from({ length: 1_000 }, (_, at) => ({
  ...{ versionId: at + 1, affId: `L-${at}`, affNum: null, empreinte: `e${at}`, photos: null },
}));
const textsOf = (ids: readonly number[]): Promise<Buffer[]> =>
  Promise.resolve(ids.map((id) => Buffer.from(`text ${id}`)));

const aList = (finished: FinishedPieces): WrittenList => ({
  ...{ gatewayId: 3, versions, texts: textsOf, before: null, finished },
});

/** A bucket in memory that tells what is put. */
function memoryBucket(onPut: (name: string) => void): { bucket: Bucket; puts: string[] } {
  const objects = new Map<string, Buffer>();
  const puts: string[] = [];
  const bucket: Pick<Bucket, 'put' | 'readWhole'> = {
    async put(name, bytes) {
      await Promise.resolve();
      onPut(name);
      puts.push(name);
      objects.set(name, bytes);
    },
    readWhole: (name) => Promise.resolve(objects.get(name) ?? null),
  };
  return { bucket: bucket as Bucket, puts };
}

// Fake: the bucket, in memory.
describe('a list that is not written in one go', () => {
  it('gets further with each attempt, whatever its limit, and no piece is put twice', async () => {
    const { bucket, puts } = memoryBucket(() => undefined);
    const finished: FinishedPieces = new Map();
    let index: string | null = null;
    let attempts = 0;
    while (index === null && attempts < 100) {
      attempts += 1;
      // The limit was over before it began.
      index = await writeList(bucket, aList(finished), AbortSignal.abort()).catch(() => null);
    }
    expect(attempts).toBeGreaterThan(2);
    expect(new Set(puts).size).toBe(puts.length);
    const texts = await new ListReader(bucket).page({ gatewayId: 3, index: index! }, 0, 1_000);
    expect(texts).toEqual(await textsOf(versions.map(({ versionId }) => versionId)));
  });

  it('does not count a piece that the bucket did not take', async () => {
    let isFull = true;
    const { bucket } = memoryBucket((name) => {
      if (isFull && name.endsWith('.texts')) throw new BucketError('full', 'the pages bucket lists is full');
    });
    const finished: FinishedPieces = new Map();
    await expect(writeList(bucket, aList(finished))).rejects.toThrow(BucketError);
    isFull = false;
    const index = await writeList(bucket, aList(finished));
    expect(await new ListReader(bucket).page({ gatewayId: 3, index }, 0, 1_000)).toHaveLength(1_000);
  });
});

it('a list whose listings have the numbers of others, from a server that was lost, does not take over their texts', async () => {
  const { bucket } = memoryBucket(() => undefined);
  const finished: FinishedPieces = new Map();
  const before = await writeList(bucket, aList(finished));
  const others = versions.map((version) => ({ ...version, empreinte: `other ${version.versionId}` }));
  const texts = (ids: readonly number[]): Promise<Buffer[]> =>
    Promise.resolve(ids.map((id) => Buffer.from(`other ${id}`)));
  const index = await writeList(bucket, { ...aList(finished), versions: others, texts, before });
  const page = await new ListReader(bucket).page({ gatewayId: 3, index }, 0, 1_000);
  expect(page).toEqual(await texts(versions.map(({ versionId }) => versionId)));
});
