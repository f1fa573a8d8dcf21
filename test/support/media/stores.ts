import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaLocation } from '../../../libs/media/src/settings';
import { parseBucketUrl } from '@passerelle/bucket';
import { S3_CREDENTIALS, startS3Server } from './s3-server';

export const STORE_KINDS = ['disk', 's3'] as const;

/** Empty locations for photos on real stores: folders, or buckets of an S3 server. */
export interface StoreLocations {
  /** Returns a new location for each call. */
  next(): MediaLocation;
  remove(): Promise<void>;
}

export async function makeLocations(kind: (typeof STORE_KINDS)[number]): Promise<StoreLocations> {
  const folder = await mkdtemp(join(tmpdir(), 'media-'));
  const server = kind === 's3' ? await startS3Server(folder, ['photos']) : null;
  Object.assign(process.env, S3_CREDENTIALS);
  let count = 0;
  return {
    next() {
      count += 1;
      return server === null
        ? { folder: join(folder, String(count)) }
        : parseBucketUrl(server.url('photos', String(count)), 'MEDIA_BUCKET_URL');
    },
    async remove() {
      await server?.stop();
      await rm(folder, { recursive: true });
    },
  };
}
