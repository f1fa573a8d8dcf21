import type { ExportContext, ExportItem, PhotoFiles } from '../../kit/contracts';
import { photoAddress, photoExtension } from '../../kit/photo-address';
import { choiceOf } from '../../kit/settings';
import { PHOTO_RANKS } from './lookups';
import { type Row, technicalId } from './row';

const LONGEST_ADDRESS = 256;

export function sendsFiles(context: ExportContext): boolean {
  return choiceOf(context, 'photos', ['addresses', 'files']) === 'files';
}

export function writePhotos(row: Row, item: ExportItem, context: ExportContext): void {
  const isFiles = sendsFiles(context);
  item.listing.photos
    .map((photo, at) => ({ ...photo, value: isFiles ? fileName(item, at) : photoAddress(photo) }))
    // A longer address would be cut, and show nothing.
    .filter(({ value }) => value.length <= LONGEST_ADDRESS)
    .slice(0, PHOTO_RANKS.length)
    .forEach(({ value, legende }, at) => {
      const ranks = PHOTO_RANKS[at]!;
      row.whole(ranks.photo, value, LONGEST_ADDRESS);
      row.text(ranks.title, legende, 256);
    });
}

/** The photos of one advert as files of the archive. */
export const photoFiles: PhotoFiles = (item) =>
  item.listing.photos.slice(0, PHOTO_RANKS.length).map(({ url }, at) => ({ name: fileName(item, at), url }));

/** A photo that changes gets another name, so that the portal reads it again. */
function fileName({ listing, advertId }: ExportItem, at: number): string {
  const photo = listing.photos[at]!;
  return `${technicalId(advertId).replace(/[^\w-]/g, '_')}-${at + 1}-${photo.empreinte}${photoExtension(photo.url)}`;
}
