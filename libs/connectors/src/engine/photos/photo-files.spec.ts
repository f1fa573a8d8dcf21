import type { MappedListing } from '../../kit/contracts';
import type { PhotoRequest } from '../contracts';
import { PhotoFiles, toPhotoFile } from './photo-files';
import { PhotoSeries } from './photo-series';

describe('photos of a record', () => {
  const takenIn = async (file: string): Promise<{ wanted: PhotoRequest[]; warned: string[] }> => {
    const wanted: PhotoRequest[] = [];
    const warned: string[] = [];
    const intake = {
      key: '',
      store: (photos: readonly PhotoRequest[]) => {
        wanted.push(...photos);
        return Promise.resolve(photos.map((photo) => toPhotoFile(photo, { kind: 'missing' })));
      },
    };
    const files = { isComplete: true, names: [], find: () => undefined };
    const listing: MappedListing = { affId: '1', passerelleName: 'x', photos: [{ file, field: 'photos' }] };
    await new PhotoFiles(intake, files, '', new PhotoSeries()).settle(listing, (code) => {
      warned.push(code);
    });
    return { wanted, warned };
  };

  it('are stored under a name that PostgreSQL can index, even when the name in the feed is very long', async () => {
    const long = 'photo'.repeat(20_000);
    const { wanted, warned } = await takenIn(long);
    expect(wanted.map(({ name }) => name.length)).toEqual([32]);
    expect(warned).toEqual(['photo_missing']);
    const [other] = (await takenIn(`${long}2`)).wanted;
    expect(other!.name).not.toBe(wanted[0]!.name);
  });

  it('keep their name when it has a usual length', async () => {
    expect((await takenIn('photos/é 1.jpg')).wanted.map(({ name }) => name)).toEqual(['photos/é 1.jpg']);
  });
});
