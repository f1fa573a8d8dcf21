import { fileContentIn } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { foldWord } from '../../kit/clean/fold-word';
import { isFilm, toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, textOf, wrappedList } from '../../kit/values';
import { attributeOf } from './attributes';
import { ATTACHMENT_GROUPS, type AttachmentGroup } from './lookups';
import { hasPath } from './texts';

const PATH = 'anhaenge.anhang';
const file = {
  path: compilePath('daten.pfad'),
  bare: compilePath('pfad'),
  content: compilePath('daten.anhanginhalt'),
  bareContent: compilePath('anhanginhalt'),
};

/** The attachments of an object that are published. */
export interface Attachments {
  /** The `TITELBILD` first. */
  photos: PhotoSource[];
  plans: LinkSource[];
  documents: LinkSource[];
  video: string | undefined;
  tour: string | undefined;
  /** The object's page. */
  page: string | undefined;
}

interface Attachment {
  /** The word of the record. */
  word: string | undefined;
  group: AttachmentGroup | undefined;
  kind: Kind;
  /** INTERN, EXTERN or REMOTE. */
  location: string;
  /** A URL, or a file of the archive. */
  path: string | undefined;
  /** The number that replaces the bytes of the file, if the record contains them. */
  number: string | undefined;
  title: string | undefined;
}

type Kind = 'image' | 'film' | 'pdf' | 'page' | 'unknown';

/** Every attachment is published, withheld on purpose, or reported with a warning. */
export function readAttachments(record: XmlRecord, context: RecordContext, showsAddress: () => boolean): Attachments {
  const found: Attachments = {
    ...{ photos: [], plans: [], documents: [] },
    ...{ video: undefined, tour: undefined, page: undefined },
  };
  const titles: PhotoSource[] = [];
  const setOnce = (field: 'video' | 'tour' | 'page', attachment: Attachment): void => {
    const address = toUrl(attachment.path);
    if (address === undefined || (field === 'page' && !hasPath(address))) warnUnusable(attachment, context);
    else if (found[field] === undefined) found[field] = address;
    else if (found[field] !== address) context.warn('implausible_value', PATH, `a second ${field}: ${address}`);
  };
  for (const anhang of wrappedList(record['anhaenge'], 'anhang')) {
    const attachment = toAttachment(anhang);
    if (isInternal(attachment)) continue;
    const { word, title } = attachment;
    if (word !== undefined && attachment.group === undefined)
      context.warn('unknown_word', `${PATH}.gruppe`, word.slice(0, 120));
    const use = useOf(attachment);
    switch (use) {
      case 'photo':
      case 'title':
        (use === 'title' ? titles : found.photos).push(...sourceOf(attachment, record, context, 'legende'));
        break;
      case 'plan':
        found.plans.push(...sourceOf(attachment, record, context, 'titre'));
        break;
      case 'map':
        // A map that shows the house reveals the address as much as the street does.
        if (showsAddress()) found.documents.push(...sourceOf(attachment, record, context, 'titre'));
        break;
      case 'document':
        found.documents.push(...sourceOf(attachment, record, context, 'titre'));
        break;
      case 'video':
      case 'tour':
      case 'page':
        setOnce(use, attachment);
        break;
      case 'ignored':
        break;
      case 'unknown':
        if (word === undefined || attachment.group !== undefined) warnUnusable(attachment, context);
        break;
      case 'unknown link':
        context.warn('unknown_word', `${PATH}.${word ?? ''}`, (title ?? attachment.path ?? '').slice(0, 120));
    }
  }
  found.photos.unshift(...titles);
  return found;
}

const INTERNAL =
  /\bintern(?:e[rsnm]?|al)?\b|\bprivat(?:e[rsnm]?)?\b|grundbuch|vertrag|vollmacht|auftrag|personalausweis|reisepass|protokoll|eigentuemer|eigentumer|verkaufer|verkaeufer|mieterliste|selbstauskunft|teilungserkl|wirtschaftsplan|rechnung|bewertung|gutachten|\bnotar|kontoauszug|finanzierung|vertraulich|confidential|contract|mandat/;

/**
 * Whether a document is for the agency only: its group, title or file name says so. Agencies give it to people who are
 * about to sign.
 */
export function isInternalAttachment(anhang: unknown): boolean {
  return isInternal(toAttachment(anhang));
}

function isInternal({ word, group, kind, path, title }: Attachment): boolean {
  const mayBeDocument = group === 'document' || group === 'map' || group === 'link' || group === undefined;
  if (!mayBeDocument || (group === undefined && kind === 'image' && word === undefined)) return false;
  const fileName = path?.split(/[/\\]/).at(-1);
  return [word, title, fileName].some((text) => text !== undefined && INTERNAL.test(foldWord(text)));
}

function toAttachment(anhang: unknown): Attachment {
  const { format, anhangtitel } = (typeof anhang === 'object' ? anhang : {}) as Readonly<Record<string, unknown>>;
  const path = textOf(file.path(anhang)) ?? textOf(file.bare(anhang)) ?? textOf(anhang);
  const word = textOf(attributeOf(anhang, 'gruppe'));
  return {
    word,
    group: word === undefined ? undefined : ATTACHMENT_GROUPS.find(word),
    kind: kindOf(textOf(format)?.trim() ?? '', path ?? ''),
    location: textOf(attributeOf(anhang, 'location'))?.toUpperCase() ?? 'EXTERN',
    path,
    number: textOf(file.content(anhang)) ?? textOf(file.bareContent(anhang)),
    title: textOf(anhangtitel),
  };
}

const IMAGE_FORMAT = /^(?:image\/.*|\.?(?:jpe?g|png|gif|webp|bmp|tiff?|heic))$/i;
const FILM_FORMAT = /mp4|mpe?g$|video|quicktime|webm/i;
const PAGE_FORMAT = /html|url/i;
const OTHER_FORMAT = /doc|zip|xls/i;
const IMAGE_PATH = /\.(?:jpe?g|png|gif|webp|bmp|tiff?|heic)(?:[?#]|$)/i;
const PDF_PATH = /\.pdf(?:[?#]|$)/i;

function kindOf(format: string, path: string): Kind {
  if (IMAGE_FORMAT.test(format)) return 'image';
  if (FILM_FORMAT.test(format)) return 'film';
  if (/pdf/i.test(format)) return 'pdf';
  if (PAGE_FORMAT.test(format)) return isFilm(path) ? 'film' : 'page';
  if (OTHER_FORMAT.test(format)) return 'unknown';
  if (IMAGE_PATH.test(path)) return 'image';
  if (PDF_PATH.test(path)) return 'pdf';
  return isFilm(path) ? 'film' : 'unknown';
}

type Use = Exclude<AttachmentGroup, 'link'> | 'tour' | 'unknown' | 'unknown link';

/** A picture without a group, or with an unknown group, is a photo. */
function useOf({ word, group, kind, path, title }: Attachment): Use {
  if (group === undefined) {
    if (kind === 'image') return 'photo';
    return kind === 'film' ? 'video' : 'unknown';
  }
  if (group === 'link') return linkUse(kind, path ?? '', title ?? '');
  if (group !== 'photo' && group !== 'title') return group;
  if (kind === 'film') return 'video';
  const isPanorama = word?.toUpperCase() === 'PANORAMA';
  if (isPanorama && kind !== 'image') return 'tour';
  if (kind === 'page') return TOUR.test(`${path ?? ''} ${title ?? ''}`) ? 'tour' : 'unknown';
  // A file without an extension is a photo, because its group says so.
  return kind === 'pdf' ? 'unknown' : group;
}

const TOUR = /matterport|ogulo|kuula|immoviewer|360|panorama|rundgang|tour|virtuell|virtual|begehung/i;
const PAGE = /expos|objekt|detail|inserat|anzeige|homepage|web/i;

/** The format does not say what a link leads to. */
function linkUse(kind: Kind, path: string, title: string): Use {
  if (kind === 'film') return 'video';
  if (kind === 'pdf' || kind === 'image') return 'document';
  if (TOUR.test(`${path} ${title}`)) return 'tour';
  return PAGE.test(title) ? 'page' : 'unknown link';
}

function sourceOf<Title extends 'legende' | 'titre'>(
  attachment: Attachment,
  record: XmlRecord,
  context: RecordContext,
  titleName: Title,
): ({ value?: unknown; file?: unknown; content?: Buffer } & Partial<Record<Title, string>>)[] {
  const { location, path, number, title } = attachment;
  const titled = (title === undefined ? {} : { [titleName]: title }) as Partial<Record<Title, string>>;
  const content = fileContentIn(record, number);
  if (content !== undefined) return [{ content, ...titled }];
  if (path === undefined) {
    if (location === 'INTERN') context.warn('photo_invalid', PATH, 'INTERN');
    return [];
  }
  // Files in the archive may have any name, so a path that is no URL is a file name.
  const isFile = location === 'EXTERN' && toUrl(path) === undefined;
  return [{ ...(isFile ? { file: path } : { value: path }), ...titled }];
}

function warnUnusable({ path, title, location }: Attachment, context: RecordContext): void {
  context.warn('photo_invalid', PATH, (path ?? title ?? location).slice(0, 120));
}
