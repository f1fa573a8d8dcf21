import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { tokenOf } from '../photo-name';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../../../test/support/media/s3-server';
import { parseBucketUrl } from '@passerelle/bucket';
import type { MediaStore } from './media-store';
import { openS3Store } from './s3-store';

const photo = Buffer.from('photo');
const name = `${tokenOf(photo)}.jpg`;

/** Real: a server of the S3 protocol. */
describe('the store in a bucket', () => {
  let folder: string;
  let server: S3Server;
  const opened: MediaStore[] = [];
  const open = (url: string): MediaStore => {
    const store = openS3Store(parseBucketUrl(url, 'MEDIA_BUCKET_URL'));
    opened.push(store);
    return store;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-'));
    server = await startS3Server(folder, ['photos', 'vanishing']);
  });

  beforeEach(() => {
    Object.assign(process.env, S3_CREDENTIALS);
  });

  afterAll(async () => {
    for (const store of opened) store.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('sends valid signatures to a server that checks them', async () => {
    const strict = await startS3Server(folder, ['photos'], { strict: true });
    const store = open(strict.url('photos', 'agency of é/'));
    await store.put(name, photo);

    expect(await store.find(name)).toMatchObject({ bytes: 5 });
    expect((await buffer((await store.read(name, { start: 1, end: 2 }))!)).toString()).toBe('ho');
    await store.remove(name);
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another';
    await expect(open(strict.url('photos')).put(name, photo)).rejects.toMatchObject({
      problem: 'refused',
      message: 'the media bucket photos refuses our credentials (SignatureDoesNotMatch)',
    });
    await strict.stop();
  });

  it('separates files by their prefix', async () => {
    const [here, there] = [open(server.url('photos', 'here')), open(server.url('photos', 'there'))];
    await here.put(name, photo);

    expect(await there.find(name)).toBeNull();
  });

  it('sets the content type and the cache lifetime of a file for clients that read the bucket directly', async () => {
    const store = open(`${server.url('photos', 'public')}&public-url=${encodeURIComponent(server.httpUrl('photos'))}`);
    await store.put(name, photo);

    const { status, headers } = await fetch(store.publicUrl(name)!);

    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'public, max-age=31536000, immutable',
    ]);
  });

  it('explains in one sentence that the bucket no longer exists, for every operation', async () => {
    const store = open(server.url('vanishing'));
    await store.put(name, photo);
    await rm(join(folder, 'vanishing'), { recursive: true });

    const asked: (() => Promise<unknown>)[] = [
      () => store.put(name, photo),
      () => store.find(name),
      () => store.read(name),
      () => store.remove(name),
      () => first(store),
    ];
    for (const ask of asked) {
      await expect(ask()).rejects.toMatchObject({
        name: 'MediaStoreError',
        problem: 'unavailable',
        message: 'the media bucket vanishing does not exist',
      });
    }
  });

  it('explains in one sentence that the server refuses its credentials', async () => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'SOMEBODY', AWS_SECRET_ACCESS_KEY: 'ELSE' });

    await expect(open(server.url('photos')).put(name, photo)).rejects.toMatchObject({
      problem: 'refused',
      message: 'the media bucket photos refuses our credentials (InvalidAccessKeyId)',
    });
  });

  it('explains in one sentence that the server does not answer', async () => {
    const store = open('s3://photos?endpoint=http://127.0.0.1:9&path-style=true');

    await expect(store.put(name, photo)).rejects.toMatchObject({
      problem: 'unavailable',
      // The expected text ends before the error code, because in Jest the SDK does not recognize Node's own errors.
      message: expect.stringContaining('the media bucket photos cannot be reached ('),
    });
  });
});

async function first(store: MediaStore): Promise<unknown> {
  for await (const file of store.list()) return file;
  return null;
}
