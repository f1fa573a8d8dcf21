import { BucketError, type BucketLocation, openBucket } from '@passerelle/bucket';
import { contentTypeOf } from '../photo-name';
import { type MediaStore, MediaStoreError } from './media-store';

/** A year: a name never gets another content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Photos in an S3-compatible bucket, each stored in one request: a bucket shows a file whole or not at all. */
export function openS3Store(place: BucketLocation): MediaStore {
  const { prefix, publicUrl } = place;
  const bucket = openBucket(place, 'media');
  return {
    put: (name, bytes) =>
      asMedia(() => bucket.put(name, bytes, { contentType: contentTypeOf(name), cacheControl: CACHE_CONTROL })),
    find: (name) => asMedia(() => bucket.find(name)),
    read: (name, range) => asMedia(() => bucket.read(name, range)),
    remove: (name) => asMedia(() => bucket.remove(name)),
    async *list() {
      const files = bucket.list()[Symbol.asyncIterator]();
      for (;;) {
        const next = await asMedia(() => files.next());
        if (next.done === true) return;
        yield next.value;
      }
    },
    sweep: () => Promise.resolve(),
    publicUrl: (name) => (publicUrl === null ? null : `${publicUrl}/${prefix}${name}`),
    close() {
      bucket.close();
    },
  };
}

async function asMedia<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BucketError) throw new MediaStoreError(error.problem, error.message, { cause: error });
    throw error;
  }
}
