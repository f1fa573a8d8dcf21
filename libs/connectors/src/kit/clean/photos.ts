import type { Photo, WarningCode } from '@passerelle/domain';
import { toUrl } from './links';
import { plainLine } from './plain-text';

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

/** Parameters of a signed URL, by the parameters that give the signature away. Names in lower case. */
const SIGNATURES: readonly { when: readonly string[]; drop: readonly string[] }[] = [
  // Amazon CloudFront
  { when: ['signature', 'key-pair-id'], drop: ['signature', 'key-pair-id', 'expires', 'policy'] },
  // Amazon S3, version 2
  { when: ['signature', 'awsaccesskeyid'], drop: ['signature', 'awsaccesskeyid', 'expires', 'x-amz-security-token'] },
  // Google Cloud Storage, version 2
  { when: ['signature', 'googleaccessid'], drop: ['signature', 'googleaccessid', 'expires'] },
  // Azure
  { when: ['sig', 'se'], drop: 'sig se st sp sv sr spr sip si skoid sktid skt ske sks skv sdd srt ss'.split(' ') },
  ...['token', 'signature', 'sig', 'hmac', 'hash', 'sign', 'md5', 'verify'].flatMap((secret) =>
    ['expires', 'expire', 'expiry', 'exp', 'e', 'expires_on', 'expiration', 'validuntil', 'ttl'].map((end) => ({
      when: [secret, end],
      drop: [secret, end],
    })),
  ),
];
/** Amazon S3 version 4 and Google Cloud Storage version 4: every parameter with the prefix belongs to the signature. */
const SIGNED_PREFIX = /^x-(?:amz|goog)-/;

/**
 * The part of a photo's URL that tells whether it is the same photo: everything but the parameters of a signature,
 * where the URL is recognisably signed. A plain query (`?20240301`) stays: that is how feeds say that a photo changed.
 */
export function unsignedUrl(url: string): string {
  const queryAt = url.indexOf('?');
  if (queryAt === -1) return url;
  const parameters = url.slice(queryAt + 1).split('&');
  const names = parameters.map((parameter) => (parameter.split('=', 1)[0] ?? '').toLowerCase());
  const volatile = new Set<string>();
  if (names.includes('x-amz-signature') || names.includes('x-goog-signature')) {
    for (const name of names) if (SIGNED_PREFIX.test(name)) volatile.add(name);
  }
  for (const { when, drop } of SIGNATURES) {
    if (when.every((name) => names.includes(name))) for (const name of drop) volatile.add(name);
  }
  if (volatile.size === 0) return url;
  const kept = parameters.filter((_, index) => !volatile.has(names[index] ?? ''));
  return kept.length === 0 ? url.slice(0, queryAt) : `${url.slice(0, queryAt)}?${kept.join('&')}`;
}

/** 16 hexadecimal characters that change when the photo changes and only then. */
export function photoFingerprint(url: string): string {
  const name = unsignedUrl(url);
  // Two lanes of a multiplying hash: a feed has a dozen photos a listing, and nothing secret hangs on them.
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  a = Math.imul(a ^ (a >>> 16) ^ name.length, 0x7feb352d);
  b = Math.imul(b ^ (b >>> 13) ^ name.length, 0x846ca68b);
  return hexadecimal(a ^ (a >>> 15)) + hexadecimal(b ^ (b >>> 16));
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
