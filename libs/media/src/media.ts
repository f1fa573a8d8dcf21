import type { Readable } from 'node:stream';
import type { ByteRange, StoredFile } from '@passerelle/bucket';
import type { SizeFormat } from './decoder';
import { contentTypeOf, parsePhotoName, type PhotoWidth } from './photo-name';
import { prune, type Pruned, type PruneOptions } from './prune';
import type { MediaLocation } from './settings';
import { createSizeFinder } from './sizes';
import { openDiskStore } from './store/disk-store';
import { openS3Store } from './store/s3-store';
import { inspectPhoto, type PhotoBytes, storePhoto, type StoredPhoto } from './store-photo';
import { createWorkGate } from './work-gate';

/** A photo that can be served. */
export interface ServedPhoto extends StoredFile {
  contentType: string;
  /** A public address of the file; null when there is none. */
  publicUrl: string | null;
  /** Null when it was pruned meanwhile. */
  read(range?: ByteRange): Promise<Readable | null>;
}

/** The photos that arrived as files. Every method throws MediaStoreError when the store cannot be used. */
export interface Media {
  /**
   * Stores a photo without its camera data.
   *
   * @throws PhotoRefused when the file is not a supported photo
   */
  store(source: PhotoBytes): Promise<StoredPhoto>;
  /** The same without storing it. */
  inspect(source: PhotoBytes): Promise<StoredPhoto>;
  /** @param name as in the photo's address; any other name is not found. */
  find(name: string): Promise<ServedPhoto | null>;
  /**
   * The photo with at most this width, made at the first request.
   *
   * @throws TooBusy
   */
  findResized(name: string, width: PhotoWidth, format: SizeFormat): Promise<ServedPhoto | null>;
  prune(options: PruneOptions): Promise<Pruned>;
  close(): void;
}

/** The number of files processed at the same time; each is in memory as a whole. */
const CONCURRENT_PHOTOS = 2;

/** The store and its libraries are not used before they are needed. */
export function openMedia(place: MediaLocation): Media {
  const store = 'folder' in place ? openDiskStore(place.folder) : openS3Store(place);
  const gate = createWorkGate({ slots: CONCURRENT_PHOTOS, queue: Infinity });
  const sizeName = createSizeFinder(store);
  const served = async (name: string): Promise<ServedPhoto | null> => {
    const file = await store.find(name);
    if (file === null) return null;
    return {
      ...file,
      contentType: contentTypeOf(name),
      publicUrl: store.publicUrl(name),
      read: (range) => store.read(name, range),
    };
  };
  return {
    store: (source) => gate.run(() => storePhoto(store, source)),
    inspect: (source) => gate.run(async () => (await inspectPhoto(source)).photo),
    async find(name) {
      return parsePhotoName(name)?.width === null ? served(name) : null;
    },
    async findResized(name, width, format) {
      const photo = parsePhotoName(name);
      if (photo?.width !== null) return null;
      const found = await sizeName({ photo, width, format });
      return found === null ? null : served(found);
    },
    prune: (options) => prune(store, options),
    close() {
      store.close();
    },
  };
}
