import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { tokenOf } from '../photo-name';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../../../test/support/media/s3-server';
import { parseBucketUrl } from '@passerelle/bucket';
import { openDiskStore } from './disk-store';
import type { MediaStore } from './media-store';
import { openS3Store } from './s3-store';

const bytesOf = (number: number): Buffer => Buffer.from(`photo ${number}`);
const nameOf = (number: number): string => `${tokenOf(bytesOf(number))}.jpg`;

/** Real: a folder, and a server of the S3 protocol. */
describe.each(['disk', 's3'])('media store: %s', (kind) => {
  let folder: string;
  let server: S3Server | undefined;
  let store: MediaStore;

  beforeAll(async () => {
    Object.assign(process.env, S3_CREDENTIALS);
    folder = await mkdtemp(join(tmpdir(), 'media-'));
    if (kind === 's3') server = await startS3Server(folder, ['photos']);
  });

  afterAll(async () => {
    store.close();
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  let opened = 0;
  beforeEach(() => {
    const place = `place-${(opened += 1)}`;
    store =
      server === undefined
        ? openDiskStore(join(folder, place))
        : openS3Store(parseBucketUrl(server.url('photos', place), 'MEDIA_BUCKET_URL'));
  });

  const content = async (name: string, range?: { start: number; end: number }): Promise<string | null> => {
    const stream = await store.read(name, range);
    return stream === null ? null : (await buffer(stream)).toString();
  };

  it('returns a stored file unchanged', async () => {
    await store.put(nameOf(1), bytesOf(1));

    const found = await store.find(nameOf(1));

    expect(found).toMatchObject({ name: nameOf(1), bytes: 7 });
    expect(Math.abs(found!.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(await content(nameOf(1))).toBe('photo 1');
  });

  it('returns a range of a file', async () => {
    await store.put(nameOf(1), bytesOf(1));

    expect(await content(nameOf(1), { start: 1, end: 3 })).toBe('hot');
    expect(await content(nameOf(1), { start: 6, end: 6 })).toBe('1');
  });

  it('returns null for a missing file', async () => {
    await store.put(nameOf(1), bytesOf(1));

    expect([await store.find(nameOf(2)), await content(nameOf(2))]).toEqual([null, null]);
  });

  it('replaces a file with the same name', async () => {
    await store.put(nameOf(1), Buffer.from('half'));
    await store.put(nameOf(1), bytesOf(1));

    expect(await content(nameOf(1))).toBe('photo 1');
  });

  it('accepts the same file from many writers at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => store.put(nameOf(1), bytesOf(1))));

    expect(await content(nameOf(1))).toBe('photo 1');
    expect(await names()).toEqual([nameOf(1)]);
  });

  it('removes a file, and accepts the removal of a missing one', async () => {
    await store.put(nameOf(1), bytesOf(1));
    await store.remove(nameOf(1));
    await store.remove(nameOf(1));

    expect(await store.find(nameOf(1))).toBeNull();
  });

  it('lists more files than fit into one page, sorted by name', async () => {
    const numbers = Array.from({ length: 1_030 }, (_, index) => index);
    for (let index = 0; index < numbers.length; index += 50) {
      await Promise.all(numbers.slice(index, index + 50).map((number) => store.put(nameOf(number), bytesOf(number))));
    }

    expect(await names()).toEqual(numbers.map(nameOf).sort());
  });

  it('lists no files when it is empty', async () => {
    expect(await names()).toEqual([]);
  });

  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    return found;
  };
});
