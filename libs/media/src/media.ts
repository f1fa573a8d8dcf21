import type { Readable } from 'node:stream';
import type { ByteRange, StoredFile } from '@passerelle/bucket';
import type { SizeFormat } from './decoder';
import { contentTypeOf, parsePhotoName, type PhotoWidth } from './photo-name';
import { prune, type Pruned, type PruneOptions } from './prune';
import type { MediaLocation } from './settings';
import { createSizeFinder } from './sizes';
import { openDiskStore } from './store/disk-store';
import { openS3Store } from './store/s3-store';
import { type FileKind, inspectPhoto, type PhotoBytes, storePhoto, type StoredPhoto } from './store-photo';
import { createWorkGate } from './work-gate';

export interface ServedPhoto extends StoredFile {
  contentType: string;
  publicUrl: string | null;
  /** Null when the photo was pruned in the meantime. */
  read(range?: ByteRange): Promise<Readable | null>;
}

/** Stored photos, floor plans and documents that arrived as files. Every method throws MediaStoreError when the store cannot be used. */
export interface Media {
  /** Removes the camera data of pictures. @throws PhotoRefused when a file of this kind is not supported */
  store(source: PhotoBytes, kind?: FileKind): Promise<StoredPhoto>;
  /** Cleans and checks a photo like `store`, but does not store it. */
  inspect(source: PhotoBytes, kind?: FileKind): Promise<StoredPhoto>;
  /** Finds a photo. @param name as in the photo's address; any other name is not found. */
  find(name: string): Promise<ServedPhoto | null>;
  /** The photo with at most this width; the first request creates it. @throws TooBusy */
  findResized(name: string, width: PhotoWidth, format: SizeFormat): Promise<ServedPhoto | null>;
  prune(options: PruneOptions): Promise<Pruned>;
  close(): void;
}

/** The number of files that are processed at the same time; each is completely in memory. */
const CONCURRENT_PHOTOS = 2;

/** Opens the store. It does not connect or load its libraries before the first use. */
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
    store: (source, kind) => gate.run(() => storePhoto(store, source, kind)),
    inspect: (source, kind) => gate.run(async () => (await inspectPhoto(source, kind)).photo),
    async find(name) {
      return parsePhotoName(name)?.width === null ? served(name) : null;
    },
    async findResized(name, width, format) {
      const photo = parsePhotoName(name);
      if (photo?.width !== null || photo.extension === 'pdf') return null;
      const found = await sizeName({ photo, width, format });
      return found === null ? null : served(found);
    },
    prune: (options) => prune(store, options),
    close() {
      store.close();
    },
  };
}
