import type { XmlRecord } from '../../formats/xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import type { RecordContext } from '../../kit/contracts';
import { listOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { ATTACHMENTS } from './lookups';

interface Attachment {
  kind: 'photo' | 'video' | 'link' | 'plan' | 'sound' | 'document' | undefined;
  /** The name of a file in the archive, or an address. */
  name: string | undefined;
  title: string | undefined;
}

/** The format has no kind for documents: a PDF comes as a `video`. */
const PDF = /^\.?pdf$/i;
const PDF_NAME = /\.pdf(?:[?#]|$)/i;

function attachmentsOf(record: XmlRecord, context?: RecordContext): Attachment[] {
  return listOf(record['MultimediaAnhang']).map((one) => {
    const members = (typeof one === 'object' && one !== null ? one : {}) as XmlRecord;
    const name = textOf(members['@Dateiname']);
    const word = textOf(members['@AnhangArt']);
    const kind =
      context === undefined
        ? word && ATTACHMENTS.find(word)
        : lookUp(ATTACHMENTS, word, 'MultimediaAnhang.@AnhangArt', context);
    const isPdf = PDF.test(textOf(members['@Dateityp']) ?? '') || PDF_NAME.test(name ?? '');
    return {
      kind: kind === 'video' && isPdf ? 'document' : kind === '' ? undefined : kind,
      name,
      title: textOf(members['@Titel']),
    };
  });
}

export function photosOf(record: XmlRecord, context: RecordContext): PhotoSource[] {
  const attachments = attachmentsOf(record, context);
  for (const one of attachments) if (!isUsed(one)) context.warn('photo_invalid', 'MultimediaAnhang', nameOf(one));
  return attachments
    .filter(({ kind }) => kind === 'photo')
    .map(({ name, title }) => ({ ...fileOrAddress(name), legende: title }));
}

/** Films and sounds are used only as addresses, and links only as tours. */
function isUsed({ kind, name, title }: Attachment): boolean {
  if (kind === 'link') return TOUR.test(title ?? '') && toUrl(name) !== undefined;
  return kind === 'video' ? toUrl(name) !== undefined : kind !== 'sound';
}

function nameOf({ name, title }: Attachment): string {
  return (name ?? title ?? '').slice(0, 120);
}

/** Files in the archive may have any name, so a text that is no URL is a file name. */
function fileOrAddress(name: string | undefined): { file: string } | { value: string | undefined } {
  return name !== undefined && toUrl(name) === undefined ? { file: name } : { value: name };
}

export function linksOf(record: XmlRecord, wanted: 'plan' | 'document'): LinkSource[] {
  return attachmentsOf(record).flatMap(({ kind, name, title }) =>
    kind === wanted ? [{ ...fileOrAddress(name), titre: title }] : [],
  );
}

/** A link may lead to any page. It is a tour if its title says so. */
const TOUR = /360|rundgang|tour|virtuell|begehung/i;

export function addressOf(record: XmlRecord, wanted: 'video' | 'tour'): string | undefined {
  for (const { kind, name, title } of attachmentsOf(record)) {
    const isWanted = wanted === 'video' ? kind === 'video' : kind === 'link' && TOUR.test(title ?? '');
    const url = isWanted ? toUrl(name) : undefined;
    if (url !== undefined) return url;
  }
  return undefined;
}
