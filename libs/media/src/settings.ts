import { join, resolve } from 'node:path';
import { ConfigError, type Settings } from '@passerelle/settings';
import { type BucketLocation, parseBucketUrl } from '@passerelle/bucket';

/** Where photos are stored: a folder, by its absolute path, or a bucket. */
export type MediaLocation = { folder: string } | BucketLocation;

export interface MediaSettings {
  location: MediaLocation;
  /** The prefix of photos' addresses, without a slash at the end. */
  baseUrl: string;
}

/** Falls back to DATA_DIR, BASE_URL and PORT. @throws ConfigError */
export function readMediaSettings(settings: Settings): MediaSettings {
  const folder = settings.get('MEDIA_DIR');
  const bucketUrl = settings.get('MEDIA_BUCKET_URL');
  if (folder !== null && bucketUrl !== null) {
    throw new ConfigError('MEDIA_DIR and MEDIA_BUCKET_URL are both set: keep one of them');
  }
  return {
    location:
      bucketUrl === null
        ? { folder: resolve(folder ?? join(settings.get('DATA_DIR'), 'media')) }
        : parseBucketUrl(bucketUrl, 'MEDIA_BUCKET_URL'),
    baseUrl: settings.get('MEDIA_BASE_URL') ?? settings.get('BASE_URL') ?? `http://localhost:${settings.get('PORT')}`,
  };
}

export function photoUrl(baseUrl: string, name: string): string {
  return `${baseUrl}/media/${name}`;
}
