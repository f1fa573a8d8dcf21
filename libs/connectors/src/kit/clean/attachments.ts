import type { Link, WarningCode } from '@passerelle/domain';
import type { FileLink } from '../photo-series';
import { textOf } from '../values';
import { toUrl } from './links';
import { digestOf, photoFingerprint, withoutUser } from './photos';
import { plainLine } from './plain-text';

/** A floor plan or a document, as the source names it. */
export interface LinkSource {
  /** A URL or a file name; its form shows which. */
  value?: unknown;
  /** A file name of any form. */
  file?: unknown;
  /** The bytes of a file inside the record. */
  content?: Buffer | undefined;
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
    const key = 'file' in attachment ? attachment.file.toLowerCase() : attachment.empreinte!;
    if (!found.has(key)) found.set(key, attachment);
  }
  return [...found.values()];
}

/** Attachments with addresses only, for feeds that cannot contain files: a file without an address gives a warning. */
export function withoutFileLinks(attachments: readonly (Link | FileLink)[], warn: Warn): Link[] {
  return attachments.flatMap((attachment) => {
    if (!('file' in attachment)) return [attachment];
    warn('photo_missing', attachment.field, attachment.file.slice(0, 120));
    return [];
  });
}

function toAttachment(
  { value, file, content, titre }: LinkSource,
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
  if (url !== undefined) return { url, ...titled, empreinte: photoFingerprint(url) };
  if (FILE_NAME.test(text)) return { file: text, field, ...titled };
  warn('photo_invalid', field, withoutUser(text).slice(0, 120));
  return undefined;
}
