import { BucketError, type BucketLocation, openBucket } from '@passerelle/bucket';
import { contentTypeOf } from '../photo-name';
import { type MediaStore, MediaStoreError } from './media-store';

/** One year, because the content of a name never changes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Photos in an S3-compatible bucket. One request stores a photo, so readers see the whole file or none. */
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
