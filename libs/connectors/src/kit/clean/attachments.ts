import type { Link, WarningCode } from '@passerelle/domain';
import type { FileLink } from '../photo-series';
import { textOf } from '../values';
import { toUrl } from './links';
import { digestOf, photoFingerprint, withoutUser } from './photos';
import { plainLine } from './plain-text';
import { unsignedUrl } from './signed-urls';

/** A floor plan or a document, as the source names it. */
export interface LinkSource {
  /** A URL or a file name; its form shows which. */
  value?: unknown;
  /** A file name of any form. */
  file?: unknown;
  /** The bytes of a file inside the record. */
  content?: Buffer | undefined;
  /** Identifies a file whose address expires: it is copied, and a different identifier means a different file. */
  dyingId?: unknown;
  titre?: unknown;
}

type Warn = (code: WarningCode, field: string, value: string) => void;

const FILE_NAME = /^[^:?#]*\.(?:pdf|jpe?g|png|gif|bmp|webp|tiff?|heic|docx?|xlsx?|odt|rtf|txt|html?)$/i;
const NOTHING = /^(?:-|x|0|null|none|n\/?a|undefined|aucune?)$/i;

/** Returns URLs and files in the feed's order, each once. A value that is neither gives a warning. */
export function listAttachments(sources: Iterable<LinkSource>, field: string, warn: Warn): (Link | FileLink)[] {
  const found = new Map<string, Link | FileLink>();
  for (const source of sources) {
    const attachment = toAttachment(source, field, warn);
    if (attachment === undefined) continue;
    const link = 'file' in attachment ? attachment.signed : attachment;
    const key = link?.empreinte ?? (attachment as FileLink).file.toLowerCase();
    if (!found.has(key)) found.set(key, attachment);
  }
  return [...found.values()];
}

/** Attachments with addresses only, for feeds that cannot contain files: a file without an address gives a warning. */
export function withoutFileLinks(attachments: readonly (Link | FileLink)[], warn: Warn): Link[] {
  return attachments.flatMap((attachment) => {
    if (!('file' in attachment)) return [attachment];
    const elsewhere = linkInstead(attachment);
    if (elsewhere !== undefined) return [elsewhere];
    warn('photo_missing', attachment.field, attachment.file.slice(0, 120));
    return [];
  });
}

/** The link to a file at its address. Undefined for a file of an archive or of a record. */
export function linkInstead({ file, dying, signed, titre }: FileLink): Link | undefined {
  if (signed !== undefined) return signed;
  if (dying === undefined) return undefined;
  return { url: dying, ...(titre !== undefined && { titre }), empreinte: photoFingerprint(file) };
}

function toAttachment(
  { value, file, content, dyingId, titre }: LinkSource,
  field: string,
  warn: Warn,
): Link | FileLink | undefined {
  const title = plainLine(textOf(titre));
  const titled = title !== undefined && { titre: title };
  if (content !== undefined) return { file: `record/${digestOf(content)}`, content, field, ...titled };
  const named = textOf(file);
  if (named !== undefined) return { file: named, field, ...titled };
  const text = textOf(value);
  if (text === undefined || NOTHING.test(text)) return undefined;
  const url = toUrl(text);
  if (url !== undefined) return linkTo(url, textOf(dyingId), { field, ...titled });
  if (FILE_NAME.test(text)) return { file: text, field, ...titled };
  warn('photo_invalid', field, withoutUser(text).slice(0, 120));
  return undefined;
}

/** A link whose address expires is a file that is copied. */
function linkTo(
  url: string,
  dyingId: string | undefined,
  { field, ...titled }: Pick<FileLink, 'field' | 'titre'>,
): Link | FileLink {
  if (dyingId !== undefined) return { file: `copy/${dyingId}`, dying: url, field, ...titled };
  const link = { url, ...titled, empreinte: photoFingerprint(url) };
  return unsignedUrl(url) === url
    ? link
    : { file: `copy/${link.empreinte}`, dying: url, signed: link, field, ...titled };
}
