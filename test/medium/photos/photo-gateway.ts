import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { loadRegistry } from '@passerelle/connectors';
import type { Listing, Photo, RunView } from '@passerelle/domain';
import type { MediaLocation } from '@passerelle/media';
import { runWaiting } from '../../support/gateway-runner';

import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../api/api-under-test';
import { eventually } from '../../support/waiting';

/** Gateways whose CRMs drop archives with photos, with the ingestor's own code and the API. */
export interface PhotoGateways {
  api: ApiUnderTest;
  inboxDir: string;
  /** The folder for photos, unless a test chooses another store. */
  mediaDir: string;
  add(crm: string): Promise<PhotoGateway>;
  close(): Promise<void>;
}

export interface PhotoGateway extends SeededGateway {
  /** Drops an archive of the given files, or the given bytes as one file, and carries out a run. */
  deliver(feed: Readonly<Record<string, Buffer | string>> | Buffer, options?: DeliveryOptions): Promise<RunView>;
  /** The listings of the first page. */
  listings(): Promise<Listing[]>;
  /** The photos of the first listing. */
  photos(): Promise<Photo[]>;
}

export interface DeliveryOptions {
  place?: MediaLocation;
  baseUrl?: string;
  dryRun?: boolean;
}

export const PHOTO_BASE_URL = 'https://photos.example.org';

export async function startPhotoGateways(place?: MediaLocation): Promise<PhotoGateways> {
  const folder = mkdtempSync(join(tmpdir(), 'photo-gateways-'));
  const [inboxDir, mediaDir] = [join(folder, 'inbox'), join(folder, 'media')];
  mkdirSync(inboxDir);
  const mediaPlace = place ?? { folder: mediaDir };
  const api = await startApi({ mediaPlace });
  const registry = await loadRegistry();
  const { database } = api;
  let deliveries = 0;

  const deliver = async (
    gateway: SeededGateway,
    feed: Readonly<Record<string, Buffer | string>> | Buffer,
    { place: runPlace = mediaPlace, baseUrl = PHOTO_BASE_URL, dryRun = false }: DeliveryOptions = {},
  ): Promise<RunView> => {
    const path = join(inboxDir, `${gateway.client}.zip`);
    writeFileSync(path, Buffer.isBuffer(feed) ? feed : archiveOf(feed));
    // A different time per delivery, old enough that the engine does not treat the new file as unfinished.
    deliveries += 1;
    utimesSync(path, 1_700_000_000 + deliveries, 1_700_000_000 + deliveries);
    const runId = await database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops', dryRun });
    await runWaiting(database, gateway.id, {
      registry,
      outbound: { allowPrivate: new Set(), inboxDir, settleMs: 1 },
      media: { place: runPlace, baseUrl },
    });
    return (await database.runHistory.find(runId))!;
  };
  return {
    ...{ api, inboxDir, mediaDir },
    async add(crm) {
      const gateway = await addGateway(database, { crm });
      await api.testDatabase.query('UPDATE gateway SET source_url = $2 WHERE id = $1', [
        gateway.id,
        `file:${gateway.client}.zip`,
      ]);
      const listings = async (): Promise<Listing[]> => {
        const [current] = await api.testDatabase.query<{ token: string }>(
          'SELECT s.token FROM gateway g JOIN snapshot s ON s.id = g.current_snapshot_id WHERE g.id = $1',
          [gateway.id],
        );
        // The API gets the notification a moment after the publication.
        return eventually(async () => {
          const { body, headers } = await api.get(`/v1/properties?${gateway.query}`, gateway.headers);
          return headers['x-snapshot'] === current?.token ? (body as { data: Listing[] }).data : undefined;
        });
      };
      return {
        ...gateway,
        deliver: (feed, options) => deliver(gateway, feed, options),
        listings,
        photos: async () => (await listings())[0]!.photos,
      };
    },
    async close() {
      await api.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export function archiveOf(files: Readonly<Record<string, Buffer | string>>): Buffer {
  const zip = new AdmZip();
  for (const [name, content] of Object.entries(files)) zip.addFile(name, Buffer.from(content as string));
  return zip.toBuffer();
}

/**
 * One line of a Poliris file, with photos by rank. The listing is in Switzerland, where the law requires no texts in an
 * advert.
 */
export function polirisLine(id: string, photos: Readonly<Record<number, string>>, title = `Bien ${id}`): string {
  const cells: Record<number, string> = {
    ...{ 1: 'AG', 2: `R${id}`, 3: 'vente', 4: 'maison/villa', 7: 'Suisse', 11: '100000', 175: id, 20: title },
    ...photos,
  };
  return Array.from({ length: 334 }, (_, index) => `"${cells[index + 1] ?? ''}"`).join('!#');
}
