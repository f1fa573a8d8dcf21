import { Readable } from 'node:stream';
import type { MappedListing } from '../../kit/contracts';
import type { PhotoIntake, PhotoRequest } from '../contracts';
import { NO_FILES } from '../cut/open/archive-files';
import { listAttachments } from '../../kit/clean/attachments';
import { directoryIntake, PhotoFiles, type SettledListing, toPhotoFile } from './photo-files';
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

describe('plans with addresses that expire', () => {
  const address = (signature: string): string => `https://p.example/a.pdf?expires=${signature}&signature=${signature}`;
  const settle = async (
    intake: PhotoIntake,
    signature: string,
    dyingId?: string,
  ): Promise<SettledListing['listing']> => {
    const sources = [{ value: address(signature), dyingId, titre: 'EG' }];
    const plans = listAttachments(sources, 'plans', () => undefined);
    const listing: MappedListing = { affId: '1', passerelleName: 'x', photos: [], plans };
    const files = new PhotoFiles(intake, NO_FILES, '', new PhotoSeries(), () => Readable.from([]));
    return (await files.settle(listing, () => undefined)).listing;
  };
  const missing: PhotoIntake = {
    key: '',
    store: (wanted) => Promise.resolve(wanted.map((one) => toPhotoFile(one, { kind: 'missing' }))),
  };

  it.each([undefined, 'p1'])('are copied, and keep their address and fingerprint (identifier %s)', async (id) => {
    const first = await settle(directoryIntake, '1', id);
    expect(first.plans).toMatchObject([{ url: expect.stringMatching(/^archive:copy\//) as string, titre: 'EG' }]);
    expect(await settle(directoryIntake, '2', id)).toEqual(first);
  });

  it('are served at a signed address until they are copied, with the same fingerprint', async () => {
    const [copy] = (await settle(directoryIntake, '1')).plans!;
    expect((await settle(missing, '2')).plans).toEqual([{ ...copy, url: address('2') }]);
  });

  it('are left out when only the source knows their identifier and they cannot be copied', async () => {
    expect(await settle(missing, '1', 'p1')).not.toHaveProperty('plans');
  });
});
