import { fileContentIn } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import type { LinkSource } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, textOf, wrappedList } from '../../kit/values';
import { attributeOf } from './attributes';
import { ATTACHMENT_GROUPS } from './lookups';

const PATH = 'anhaenge.anhang';
const file = {
  path: compilePath('daten.pfad'),
  bare: compilePath('pfad'),
  content: compilePath('daten.anhanginhalt'),
  bareContent: compilePath('anhanginhalt'),
};

type Group = 'photo' | 'title' | 'video' | 'tour' | 'plan' | 'document' | 'other';

interface Attachment {
  group: Group;
  /** INTERN, EXTERN or REMOTE. */
  location: string;
  /** A URL, or a file of the archive. */
  path: string | undefined;
  /** The number that replaces the bytes of the file, if the record contains them. */
  number: string | undefined;
  title: string | undefined;
}

/** The photos of an object, its `TITELBILD` first. Plans, logos, documents and films are no photos. */
export function photosOf(record: XmlRecord, context: RecordContext): PhotoSource[] {
  const photos = attachmentsOf(record, context).filter(({ group }) => group === 'photo' || group === 'title');
  const first = photos.filter(({ group }) => group === 'title');
  const rest = photos.filter(({ group }) => group === 'photo');
  return [...first, ...rest].flatMap(({ location, path, number, title }): PhotoSource[] => {
    const content = fileContentIn(record, number);
    if (content !== undefined) return [{ content, legende: title }];
    if (path === undefined) {
      if (location === 'INTERN') context.warn('photo_invalid', PATH, 'INTERN');
      return [];
    }
    // Files in the archive may have any name, so a path that is no URL is a file name.
    const isFile = location === 'EXTERN' && toUrl(path) === undefined;
    return [{ ...(isFile ? { file: path } : { value: path }), legende: title }];
  });
}

export function videoOf(record: XmlRecord): string | undefined {
  return addressOf(record, 'video');
}

/** The first panorama that is a page and not a picture. */
export function tourOf(record: XmlRecord): string | undefined {
  return addressOf(record, 'tour');
}

/** Files in the archive have no address and are omitted. */
export function attachedLinks(record: XmlRecord, wanted: 'plan' | 'document'): LinkSource[] {
  return attachmentsOf(record).flatMap(({ group, path, title }) =>
    group === wanted ? [{ value: path, titre: title }] : [],
  );
}

function addressOf(record: XmlRecord, wanted: Group): string | undefined {
  for (const { group, path } of attachmentsOf(record)) {
    const address = group === wanted ? toUrl(path) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

function attachmentsOf(record: XmlRecord, context?: RecordContext): Attachment[] {
  return wrappedList(record['anhaenge'], 'anhang').map((anhang) => {
    const { format, anhangtitel } = (typeof anhang === 'object' ? anhang : {}) as Readonly<Record<string, unknown>>;
    const path = textOf(file.path(anhang)) ?? textOf(file.bare(anhang)) ?? textOf(anhang);
    return {
      group: groupOf(textOf(attributeOf(anhang, 'gruppe')), textOf(format) ?? '', path ?? '', context),
      location: textOf(attributeOf(anhang, 'location'))?.toUpperCase() ?? 'EXTERN',
      path,
      number: textOf(file.content(anhang)) ?? textOf(file.bareContent(anhang)),
      title: textOf(anhangtitel),
    };
  });
}

const IMAGE_FORMAT = /^(?:image\/.*|\.?(?:jpe?g|png|gif|webp|bmp|tiff?|heic))$/i;
const OTHER_FORMAT = /pdf|mp4|mpe?g$|video|html|url|doc|zip/i;
const IMAGE_PATH = /\.(?:jpe?g|png|gif|webp|bmp|tiff?|heic)(?:[?#]|$)/i;

/** A picture without a group, or with an unknown group, is a photo. */
function groupOf(word: string | undefined, format: string, path: string, context: RecordContext | undefined): Group {
  const isImage = IMAGE_FORMAT.test(format.trim()) || (!OTHER_FORMAT.test(format) && IMAGE_PATH.test(path));
  const group = word === undefined ? undefined : ATTACHMENT_GROUPS.find(word);
  if (group === undefined) {
    if (word !== undefined) context?.warn('unknown_word', `${PATH}.gruppe`, word.slice(0, 120));
    return isImage ? 'photo' : 'other';
  }
  if (group !== 'photo' && group !== 'title') return group;
  if (isImage) return group;
  if (word?.toUpperCase() === 'PANORAMA') return 'tour';
  return OTHER_FORMAT.test(format) ? 'other' : group;
}
