import { buffer } from 'node:stream/consumers';
import { ownText } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import { resize, type SizeFormat, widthOf } from './decoder';
import { photoName, type PhotoName, type PhotoWidth } from './photo-name';
import type { MediaStore } from './store/media-store';
import { createWorkGate } from './work-gate';

/** A resized photo. */
export interface Size {
  photo: PhotoName;
  width: PhotoWidth;
  format: SizeFormat;
}

/**
 * Creates a missing file once for all concurrent requests. Returns a narrower photo in a common format unchanged.
 * @returns null for an unknown photo. @throws TooBusy when too many wait, MediaStoreError
 */
export type SizeFinder = (size: Size) => Promise<string | null>;

/** More concurrent resizes would share the same cores and need more memory. */
const AT_A_TIME = 2;
const QUEUE = 200;
/** Photos known to be narrow, so that they are not opened again for each request. */
const NARROW_ONES_REMEMBERED = 10_000;

export function createSizeFinder(store: MediaStore): SizeFinder {
  const gate = createWorkGate({ slots: AT_A_TIME, queue: QUEUE });
  const underWay = new Map<string, Promise<string | null>>();
  const narrow = new LRUCache<string, string>({ max: NARROW_ONES_REMEMBERED });

  const make = async (size: Size): Promise<string | null> => {
    const stream = await store.read(photoName(size.photo));
    if (stream === null) return null;
    const bytes = await buffer(stream);
    if (isShownByAll(size) && (await widthOf(bytes)) <= size.width) {
      narrow.set(ownText(nameOf(size)), ownText(photoName(size.photo)));
      return photoName(size.photo);
    }
    await store.put(nameOf(size), await resize(bytes, size.width, size.format));
    return nameOf(size);
  };

  const findOrMake = async (size: Size): Promise<string | null> => {
    if ((await store.find(nameOf(size))) !== null) return nameOf(size);
    // Checked before queueing, so that invented addresses cannot fill the queue.
    if ((await store.find(photoName(size.photo))) === null) return null;
    return gate.run(() => make(size));
  };

  return async (size) => {
    const name = nameOf(size);
    const known = narrow.get(name);
    if (known !== undefined) return known;
    const finding = underWay.get(name) ?? findOrMake(size).finally(() => underWay.delete(name));
    underWay.set(name, finding);
    return finding;
  };
}

function nameOf({ photo, width, format }: Size): string {
  return photoName({ token: photo.token, extension: format, width });
}

function isShownByAll({ photo, format }: Size): boolean {
  return photo.extension !== 'webp' || format === 'webp';
}
