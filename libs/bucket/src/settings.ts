import { ConfigError, type Settings } from '@passerelle/settings';
import { type BucketPlace, parseBucketUrl } from './store/bucket-url';

/**
 * Reads PAGES_BUCKET_URL: where lists outlive the database. Null: nowhere.
 *
 * @throws ConfigError, also without the SECRETS_KEY that seals what lies there
 */
export function readPagesBucket(settings: Settings): BucketPlace | null {
  const url = settings.get('PAGES_BUCKET_URL');
  if (url === null) return null;
  const place = parseBucketUrl(url, 'PAGES_BUCKET_URL');
  if (place.publicUrl !== null) throw new ConfigError('PAGES_BUCKET_URL takes no public-url: its lists have keys');
  if (settings.get('SECRETS_KEY') === null)
    throw new ConfigError('PAGES_BUCKET_URL needs SECRETS_KEY, which seals what lies there');
  return place;
}
