import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { encoded, picture, pixelsOf } from '../../support/media/pictures';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../support/media/s3-server';
import { parseBucketUrl } from '@passerelle/bucket';
import { type PhotoGateways, polirisLine, startPhotoGateways } from './photo-gateway';

// Real: PostgreSQL, the connector, the ingestor's code, a server of the S3 protocol, the API. Fake: the CRM.
describe('photos in a bucket', () => {
  let directory: string;
  let server: S3Server;
  let gateways: PhotoGateways;

  beforeAll(async () => {
    Object.assign(process.env, S3_CREDENTIALS);
    directory = mkdtempSync(join(tmpdir(), 'bucket-'));
    server = await startS3Server(directory, ['photos']);
    gateways = await startPhotoGateways(parseBucketUrl(server.url('photos', 'demo'), 'MEDIA_BUCKET_URL'));
  });
  afterAll(async () => {
    await gateways.close();
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  const feed = (title?: string): Record<string, string> => ({
    'Annonces.csv': polirisLine('1', { 85: 'a.jpg' }, title),
  });

  it('are stored before the page that names them, and streamed from the bucket', async () => {
    const gateway = await gateways.add('poliris');
    const photo = await encoded('jpg', picture({ width: 700, height: 400 }));

    expect(await gateway.deliver({ ...feed(), 'a.jpg': photo })).toMatchObject({ state: 'published', warnings: 0 });

    const [{ url } = { url: '' }] = await gateway.photos();
    const { statusCode, body } = await request(gateways.api.url + new URL(url).pathname);
    expect(statusCode).toBe(200);
    expect((await pixelsOf(Buffer.from(await body.arrayBuffer()))).equals(await pixelsOf(photo))).toBe(true);
  });

  it('make the run fail with one sentence when the bucket is missing, while the page stays unchanged', async () => {
    const gateway = await gateways.add('poliris');
    await gateway.deliver({ ...feed(), 'a.jpg': await encoded('jpg', picture({ seed: 2 })) });
    const before = await gateway.listings();

    const place = parseBucketUrl(server.url('gone'), 'MEDIA_BUCKET_URL');
    const run = await gateway.deliver(
      { ...feed('Titre'), 'a.jpg': await encoded('jpg', picture({ seed: 3 })) },
      { place },
    );

    expect(run).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^photos cannot be stored: [^\n]*gone[^\n]*$/),
    });
    expect(await gateway.listings()).toEqual(before);
  });
});
