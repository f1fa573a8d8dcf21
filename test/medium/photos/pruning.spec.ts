import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { openMedia } from '@passerelle/media';
import { pino } from 'pino';
import { PhotoPruning } from '../../../apps/ingestor/src/schedule/photo-pruning';
import { encoded, picture } from '../../support/media/pictures';
import { type PhotoGateways, polirisLine, startPhotoGateways } from './photo-gateway';

// Real: PostgreSQL, the connector, the ingestor's code, the media store on disk. Fake: the CRM, and the age of the photos.
describe('photos that no listing names any more', () => {
  let gateways: PhotoGateways;
  beforeAll(async () => {
    gateways = await startPhotoGateways();
  });
  afterAll(() => gateways.close());

  const stored = (): string[] =>
    readdirSync(gateways.mediaDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  const prune = async (): Promise<void> => {
    const { database, testDatabase } = gateways.api;
    await testDatabase.query('UPDATE installation SET media_pruned_at = NULL');
    const pruning = new PhotoPruning(
      database.photos,
      openMedia({ folder: gateways.mediaDir }),
      pino({ level: 'silent' }),
    );
    await pruning.beginWhenDue();
    await pruning.onApplicationShutdown();
  };

  it('are removed after a week, but not while a kept snapshot names them', async () => {
    const gateway = await gateways.add('poliris');
    const [first, second] = [await encoded('jpg', picture({ seed: 1 })), await encoded('jpg', picture({ seed: 2 }))];
    const feed = { 'Annonces.csv': polirisLine('1', { 85: '1.jpg' }) };
    await gateway.deliver({ ...feed, '1.jpg': first });
    await gateway.deliver({ ...feed, '1.jpg': second });
    expect(stored()).toHaveLength(2);

    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const path of stored()) utimesSync(path, longAgo, longAgo);
    await prune();
    // The previous snapshot is still kept, and names the first photo.
    expect(stored()).toHaveLength(2);

    await gateways.api.testDatabase.query(
      'DELETE FROM listing_version v WHERE NOT EXISTS (SELECT FROM current_listing c WHERE c.version_id = v.id)',
    );
    await prune();
    const [{ url } = { url: '' }] = await gateway.photos();
    expect(stored().map((path) => path.split('/').at(-1))).toEqual([url.split('/').at(-1)]);
  });

  it('are removed by one of many processes, once a day', async () => {
    const { photos } = gateways.api.database;
    await gateways.api.testDatabase.query('UPDATE installation SET media_pruned_at = NULL');
    const claims = await Promise.all([1, 2, 3].map(() => photos.claimPruning(86_400)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await photos.claimPruning(86_400)).toBe(false);
  });
});
