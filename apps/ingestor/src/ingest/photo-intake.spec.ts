import type { ArchiveFile, PhotoRequest } from '@passerelle/connectors';
import type { Gateway, ListingPhotos } from '@passerelle/database';
import { MediaStoreError } from '@passerelle/media';
import { PhotoIntakes } from './photo-intake';

const aGateway = { id: 1, currentSnapshotId: null } as unknown as Gateway;
const noRows = {} as ListingPhotos;

function wanted(name: string): PhotoRequest {
  const file: ArchiveFile = { name, sizeBytes: 1, crc32: 1, open: () => [] as unknown as AsyncIterable<Buffer> };
  return { kind: 'photo', name, folder: '', file, mayBeEarlier: false };
}

it('PhotoIntakes waits for all photos of a listing before it fails, and stores no rows if a photo cannot be stored', async () => {
  const ended: string[] = [];
  const pending = [
    () => Promise.reject(new MediaStoreError('full', 'no room is left')),
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      ended.push('second');
      return { name: 'b.webp', width: 1, height: 1, empreinte: 'x', bytes: 1 };
    },
  ];
  const store = (): Promise<never> => pending.shift()!() as Promise<never>;
  const media = { store, inspect: store, find: () => Promise.resolve(null) };
  const intake = new PhotoIntakes(noRows, media, 'https://photos.example').of(aGateway, false);
  await expect(intake.store([wanted('a.jpg'), wanted('b.jpg')])).rejects.toThrow('no room is left');
  expect(ended).toEqual(['second']);
});
