import type { Photo, WarningCode } from '@passerelle/domain';

import { photoFingerprint } from './photo-fingerprint';
import { plainLine } from './plain-text';
import { toUrl } from './url';

/** A photo as the feed names it. */
export interface PhotoSource {
  value: unknown;
  legende?: unknown;
}

type Warn = (code: WarningCode, field: string, value: string) => void;

const NOT_A_PHOTO = /\.(?:pdf|docx?|xlsx?|html?|mp4|mov|avi|webm|zip)(?:[?#]|$)/i;
const PLACEHOLDER =
  /(?:^|[/_.-])(?:no[-_ ]?(?:photo|image|picture|img|pic)s?(?:[-_ ]?available)?|(?:pas|sans)[-_ ]?(?:de[-_ ]?)?(?:photo|image)s?|placeholder|(?:photo|image)[-_ ]?(?:non[-_ ]?|in)dispo(?:nible)?|image[-_ ]?not[-_ ]?available|coming[-_ ]?soon|default[-_]?(?:photo|image)|(?:photo|image)[-_]?(?:default|defaut))(?:[-_.]?\d*)?\.(?:jpe?g|png|gif|webp|svg|bmp)(?:[?#]|$)/i;
const NO_PATH = /^https?:\/\/[^/?#]+\/?$/i;
const NOTHING = /^(?:-|x|0|null|none|n\/?a|undefined|aucune?)$/i;
const FILE_NAME = /^[^:?#]*\.(?:jpe?g|png|gif|bmp|webp|tiff?|heic)$/i;

/**
 * The photos of a listing, in the feed's order: usable http(s) addresses, each once.
 * Files of the archive are not served yet and are counted, as is what cannot be a photo.
 */
export function toPhotos(sources: Iterable<PhotoSource>, field: string, warn: Warn): Photo[] {
  const photos: Photo[] = [];
  const seen = new Set<string>();
  for (const { value, legende } of sources) {
    const url = toPhotoUrl(value, field, warn);
    if (url === undefined) continue;
    const empreinte = photoFingerprint(url);
    if (seen.has(empreinte)) continue;
    seen.add(empreinte);
    const caption = typeof legende === 'string' ? plainLine(legende) : undefined;
    photos.push(caption === undefined ? { url, empreinte } : { url, legende: caption, empreinte });
  }
  return photos;
}

function toPhotoUrl(value: unknown, field: string, warn: Warn): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  if (typeof value === 'string' && (text === '' || NOTHING.test(text))) return undefined;
  const url = toUrl(text);
  if (url !== undefined && !NOT_A_PHOTO.test(url)) {
    if (!PLACEHOLDER.test(url) && !NO_PATH.test(url)) return url;
  } else if (url === undefined && FILE_NAME.test(text)) {
    warn('photo_in_archive', field, text.slice(0, 120));
    return undefined;
  }
  warn('photo_invalid', field, text.slice(0, 120));
  return undefined;
}
