import type { Link, Listing } from '@passerelle/domain';
import type { ExportContext, ExportItem, PhotoFiles } from '../../kit/contracts';
import { photoAddress, photoExtension } from '../../kit/photo-address';
import { choiceOf } from '../../kit/settings';
import { fittingId } from '../../kit/text';
import { element, group } from '../../kit/xml';

/** No description of the format limits the photos of an object. */
export const MOST_PHOTOS = 50;

export function sendsFiles(context: ExportContext): boolean {
  return choiceOf(context, 'photos', ['addresses', 'files']) === 'files';
}

/** `anhaenge`: the first photo is the title picture. Plans and documents are addresses. */
export function attachmentsElement(item: ExportItem, context: ExportContext): string {
  const { listing } = item;
  const isFiles = sendsFiles(context);
  return group('anhaenge', [
    ...listing.photos.slice(0, MOST_PHOTOS).map((photo, at) =>
      attachment({
        ...{ group: at === 0 ? 'TITELBILD' : 'BILD', title: photo.legende, isFile: isFiles },
        ...{ path: isFiles ? fileName(item, at) : photoAddress(photo), format: formatOf(photo.url) },
      }),
    ),
    ...linksOf(listing.plans, 'GRUNDRISS'),
    ...linksOf(listing.documents, 'DOKUMENTE'),
    ...addressOf(listing, 'video', 'FILMLINK'),
    ...addressOf(listing, 'url', 'ANBOBJURL'),
  ]);
}

/** The photos of one object as files of the archive. */
export const photoFiles: PhotoFiles = (item) =>
  item.listing.photos.slice(0, MOST_PHOTOS).map(({ url }, at) => ({ name: fileName(item, at), url }));

/** A photo that changes gets another name, so that the portal reads it again. */
function fileName({ listing, advertId }: ExportItem, at: number): string {
  const photo = listing.photos[at]!;
  const id = fittingId(advertId, LONGEST_ID, /^[\w-]+$/);
  return `${id}-${at + 1}-${photo.empreinte}${photoExtension(photo.url)}`;
}

const LONGEST_ID = 60;

function linksOf(links: readonly Link[] | undefined, name: string): string[] {
  return (links ?? []).map(({ url, titre, empreinte = '' }) =>
    attachment({
      group: name,
      title: titre,
      isFile: false,
      path: photoAddress({ url, empreinte }),
      format: formatOf(url),
    }),
  );
}

function addressOf(listing: Listing, field: 'video' | 'url', name: string): string[] {
  const path = listing[field];
  return path === undefined
    ? []
    : [attachment({ group: name, title: undefined, isFile: false, path, format: 'text/html' })];
}

interface Attachment {
  group: string;
  title: string | undefined;
  isFile: boolean;
  path: string;
  format: string;
}

function attachment({ group: name, title, isFile, path, format }: Attachment): string {
  return group(
    'anhang',
    [element('anhangtitel', title), element('format', format), group('daten', [element('pfad', path)])],
    { location: isFile ? 'EXTERN' : 'REMOTE', gruppe: name },
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  ...{ '.png': 'image/png', '.gif': 'image/gif', '.webp': 'image/webp', '.bmp': 'image/bmp', '.jpg': 'image/jpeg' },
};

function formatOf(url: string): string {
  if (/\.pdf(?:[?#]|$)/i.test(url)) return 'application/pdf';
  return FORMATS[photoExtension(url)] ?? 'image/jpeg';
}
