import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Media, openMedia } from '@passerelle/media';
import { request } from 'undici';
import { encoded, picture } from '../../support/media/pictures';
import { makeLocations, type StoreLocations, STORE_KINDS } from '../../support/media/stores';
import { type ApiUnderTest, startApi } from '../api/api-under-test';

// Real: HTTP, the media store on disk and on a server of the S3 protocol, the API. No ingestor: the tests store photos.
describe.each(STORE_KINDS)('GET /media/…: %s', (kind) => {
  let places: StoreLocations;
  let api: ApiUnderTest;
  let photo: Buffer;
  let media: Media;
  let path: string;

  beforeAll(async () => {
    places = await makeLocations(kind);
    const mediaPlace = places.next();
    api = await startApi({ mediaPlace });
    photo = await encoded('jpg', picture({ width: 900, height: 600 }));
    media = openMedia(mediaPlace);
    const { name } = await media.store(photo);
    path = `/media/${name}`;
  });
  afterAll(async () => {
    media.close();
    await api.close();
    await places.remove();
  });

  const ask = async (address: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { statusCode, headers: got, body } = await request(api.url + address, { method: method as 'GET', headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    const isJson = String(got['content-type']).startsWith('application/json');
    api.contract.check(method, address, {
      status: statusCode,
      headers: Object.fromEntries(Object.entries(got).map(([name, value]) => [name, String(value)])),
      text: bytes.length === 0 ? '' : isJson ? bytes.toString() : 'bytes',
      body: undefined,
    });
    return { status: statusCode, headers: got, bytes };
  };

  it('sends the photo without a key, and allows permanent caching', async () => {
    const { status, headers, bytes } = await ask(path);

    expect([status, bytes.equals(photo)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(photo.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${path.slice('/media/'.length)}"`,
    });
  });

  it('sends a PDF for the viewer of the browser, without scripts and sizes', async () => {
    const file = Buffer.from('%PDF-1.4\n%fictitious');
    const { name } = await media.store(file, 'document');

    const { status, headers, bytes } = await ask(`/media/${name}`);

    expect([status, bytes.equals(file)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect((await ask(`/media/${name}`, { range: 'bytes=0-4' })).bytes.toString()).toBe('%PDF-');
    expect((await ask(`/media/${name}?w=320`)).status).toBe(404);
  });

  it('answers HEAD like GET, and 304 to a reader that has the photo', async () => {
    const [got, head] = [await ask(path), await ask(path, {}, 'HEAD')];
    const about = ({ headers }: typeof got): unknown[] =>
      ['content-type', 'content-length', 'etag', 'cache-control', 'accept-ranges'].map((name) => headers[name]);
    expect([head.status, head.bytes.length, about(head)]).toEqual([200, 0, about(got)]);

    const again = await ask(path, { 'if-none-match': String(got.headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('sends the requested range', async () => {
    const part = await ask(path, { range: 'bytes=10-19' });
    expect([part.status, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      `bytes 10-19/${photo.length}`,
      '10',
    ]);
    expect(part.bytes.equals(photo.subarray(10, 20))).toBe(true);
    expect((await ask(path, { range: 'bytes=-5' })).bytes.equals(photo.subarray(-5))).toBe(true);

    for (const headers of [{ range: `bytes=${photo.length}-` }, { range: 'bytes=0-1', 'if-range': '"another"' }]) {
      const whole = await ask(path, headers);
      expect([whole.status, whole.bytes.length]).toEqual([200, photo.length]);
    }
  });

  it('sends smaller versions in a format that the client supports', async () => {
    for (const [accept, type] of [
      ['image/avif,image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ]) {
      const { status, headers, bytes } = await ask(`${path}?w=320`, { accept: accept! });
      const { format, width, height } = await sharp(bytes).metadata();
      expect([status, headers['content-type'], headers['vary'], `image/${format}`, width, height]).toEqual([
        ...[200, type, 'Accept', type, 320, 213],
      ]);
    }
    // A version is never larger than the original.
    expect((await ask(`${path}?w=1024`)).bytes.equals(photo)).toBe(true);
  });

  it('has no photo at other addresses', async () => {
    for (const address of [
      `/media/${'0'.repeat(64)}.jpg`,
      path.replace('.jpg', '.png'),
      path.replace('.jpg', '-320.jpg'),
      path.replace('.jpg', ''),
      '/media/..%2f..%2fetc%2fpasswd',
      '/media/%00.jpg',
      `/media/${'0'.repeat(64)}.jpg?w=320`,
    ]) {
      const { status, bytes } = await ask(address);
      expect([address, status, JSON.parse(bytes.toString())]).toEqual([
        ...[address, 404, expect.objectContaining({ status: 'error', code: 'NOT_FOUND' })],
      ]);
    }
  });

  it.each(['w=100', 'w=', 'w=320&w=640', 'w=320.5'])('refuses ?%s', async (query) => {
    const { status, bytes } = await ask(`${path}?${query}`);
    expect([status, JSON.parse(bytes.toString())]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST' })]);
  });

  it('refuses other methods', async () => {
    const { status, headers } = await ask(path, {}, 'DELETE');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

describe('GET /media/… without streaming', () => {
  it('redirects to a public bucket', async () => {
    const places = await makeLocations('s3');
    const place = { ...places.next(), publicUrl: 'https://bucket.example.org/photos' };
    const media = openMedia(place);
    const { name } = await media.store(await encoded('jpg'));
    media.close();
    const api = await startApi({ mediaPlace: place });
    const { status, headers } = await api.get(`/media/${name}`);
    expect([status, headers['location']]).toEqual([302, expect.stringContaining(`/${name}`)]);
    expect(headers['location']).toMatch(/^https:\/\/bucket\.example\.org\/photos\//);
    await api.close();
    await places.remove();
  });

  it('answers 500 without internal details when the store is unusable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-store-'));
    const api = await startApi({ mediaPlace: { folder: '/dev/null/media' } });
    const { status, body } = await api.get(`/media/${'0'.repeat(64)}.jpg`);
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('/dev/null')]);
    await api.close();
    rmSync(folder, { recursive: true });
  });
});
