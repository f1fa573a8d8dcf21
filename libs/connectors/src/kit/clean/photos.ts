import { hash } from 'node:crypto';
import type { Photo, WarningCode } from '@passerelle/domain';
import type { FilePhoto } from '../photo-series';
import { toUrl } from './links';
import { toInteger } from './number';
import { plainLine } from './plain-text';
import { unsignedUrl } from './signed-urls';

export interface PhotoSource {
  /** A URL or a file name; its form shows which. */
  value?: unknown;
  /** A file name of any form. If there is a URL in `value`, it is used only when the file is missing. */
  file?: unknown;
  /** The bytes of a file inside the record. */
  content?: Buffer | undefined;
  /** Identifies a photo whose address expires: it is copied, and a different identifier means a different photo. */
  dyingId?: string | undefined;
  legende?: unknown;
  /** In pixels. */
  largeur?: unknown;
  hauteur?: unknown;
}

type Warn = (code: WarningCode, field: string, value: string) => void;

const NOT_A_PHOTO = /\.(?:pdf|docx?|xlsx?|html?|mp4|mov|avi|webm|zip)(?:[?#]|$)/i;
const PLACEHOLDER =
  /(?:^|[/_.-])(?:no[-_ ]?(?:photo|image|picture|img|pic)s?(?:[-_ ]?available)?|(?:pas|sans)[-_ ]?(?:de[-_ ]?)?(?:photo|image)s?|placeholder|(?:photo|image)[-_ ]?(?:non[-_ ]?|in)dispo(?:nible)?|image[-_ ]?not[-_ ]?available|coming[-_ ]?soon|default[-_]?(?:photo|image)|(?:photo|image)[-_]?(?:default|defaut))(?:[-_.]?\d*)?\.(?:jpe?g|png|gif|webp|svg|bmp)(?:[?#]|$)/i;
const NO_PATH = /^https?:\/\/[^/?#]+\/?$/i;
const NOTHING = /^(?:-|x|0|null|none|n\/?a|undefined|aucune?)$/i;
const FILE_NAME = /^[^:?#]*\.(?:jpe?g|png|gif|bmp|webp|tiff?|heic)$/i;

/** Returns usable http(s) URLs and files in the feed's order, each once. Invalid photos give a warning. */
export function listPhotos(sources: Iterable<PhotoSource>, field: string, warn: Warn): (Photo | FilePhoto)[] {
  const photos: (Photo | FilePhoto)[] = [];
  const seen = new Set<string>();
  for (const source of sources) {
    const photo = dyingOf(source, field, warn) ?? fileOf(source, field, warn) ?? ofAddress(source, field, warn);
    if (photo === undefined) continue;
    const key = keyOf(photo);
    if (seen.has(key)) continue;
    seen.add(key);
    if ('file' in photo && photo.url !== undefined) seen.add(photoFingerprint(photo.url));
    const caption = typeof source.legende === 'string' ? plainLine(source.legende) : undefined;
    photos.push(caption === undefined ? photo : withCaption(photo, caption));
  }
  return photos;
}

/** Returns the photos of a feed that cannot contain files: a file without a URL gives a warning. */
export function toPhotos(sources: Iterable<PhotoSource>, field: string, warn: Warn): Photo[] {
  return withoutFiles(listPhotos(sources, field, warn), warn);
}

/** Photos with addresses only: a file is replaced by its address if it has one, otherwise it gives a warning. */
export function withoutFiles(photos: readonly (Photo | FilePhoto)[], warn: Warn): Photo[] {
  return photos.flatMap((photo) => {
    if (!('file' in photo)) return [photo];
    const elsewhere = addressInstead(photo);
    if (elsewhere === undefined) warn('photo_missing', photo.field, photo.file.slice(0, 120));
    return elsewhere ?? [];
  });
}

export function addressInstead({ url, legende, dying, file, signed }: FilePhoto): Photo | undefined {
  if (signed !== undefined) return legende === undefined ? signed : (withCaption(signed, legende) as Photo);
  const address = url ?? dying;
  if (address === undefined) return undefined;
  const empreinte = photoFingerprint(dying === undefined ? address : file);
  return { url: address, ...(legende !== undefined && { legende }), empreinte };
}

function keyOf(photo: Photo | FilePhoto): string {
  if (!('file' in photo)) return photo.empreinte;
  return photo.signed?.empreinte ?? photo.file.toLowerCase();
}

/** Adds the caption. The members are in the order in which they are sent. */
function withCaption(photo: Photo | FilePhoto, legende: string): Photo | FilePhoto {
  if ('file' in photo) return { ...photo, legende };
  const { url, ...rest } = photo;
  return { url, legende, ...rest };
}

/** A photo with an expiring URL is a file named by its identifier, because the URL changes each time. */
function dyingOf({ value, dyingId }: PhotoSource, field: string, warn: Warn): FilePhoto | undefined {
  const id = textOf(dyingId) ?? '';
  const address = id === '' ? undefined : toPhotoUrl(value, field, warn);
  return address === undefined ? undefined : { file: `copy/${id}`, dying: address, field };
}

function fileOf({ value, file, content }: PhotoSource, field: string, warn: Warn): FilePhoto | undefined {
  if (content !== undefined) return { file: `record/${digestOf(content)}`, content, field };
  const named = textOf(file) ?? '';
  const name = named === '' && isFileName(value) ? textOf(value)! : named;
  if (name === '') return undefined;
  const url = value === undefined || isFileName(value) ? undefined : toPhotoUrl(value, field, warn);
  return { file: name, ...(url !== undefined && { url }), field };
}

function isFileName(value: unknown): boolean {
  return typeof value === 'string' && FILE_NAME.test(value.trim()) && toUrl(value) === undefined;
}

/** A photo with a signed address is copied, because the address soon ends. */
function ofAddress(source: PhotoSource, field: string, warn: Warn): Photo | FilePhoto | undefined {
  const photo = addressOf(source, field, warn);
  return photo === undefined || !isSigned(photo.url) ? photo : signedPhoto(photo, field);
}

/** A signature needs a query or a `token=` in the path. */
function isSigned(url: string): boolean {
  return (url.includes('?') || url.includes('=')) && unsignedUrl(url) !== url;
}

/** @param signed its `empreinte` identifies the photo, and does not depend on the signature */
export function signedPhoto(signed: Photo, field: string): FilePhoto {
  return { file: `copy/${signed.empreinte}`, dying: signed.url, signed, field };
}

function addressOf({ value, largeur, hauteur }: PhotoSource, field: string, warn: Warn): Photo | undefined {
  const url = toPhotoUrl(value, field, warn);
  if (url === undefined) return undefined;
  const empreinte = photoFingerprint(url);
  if (largeur === undefined) return { url, empreinte };
  const [width, height] = [toInteger(largeur), toInteger(hauteur)];
  const isSized = width !== undefined && height !== undefined && width > 0 && height > 0;
  return isSized ? { url, largeur: width, hauteur: height, empreinte } : { url, empreinte };
}

/** Names a file inside a record by its content, because two listings may have files with the same name. */
export function digestOf(content: Buffer): string {
  return hash('sha256', content, 'hex').slice(0, 16);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}

function toPhotoUrl(value: unknown, field: string, warn: Warn): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  if (typeof value === 'string' && (text === '' || NOTHING.test(text))) return undefined;
  const url = toUrl(text);
  if (url !== undefined && (isPlainlyPhoto(url) || !isNoPhoto(url))) return url;
  warn('photo_invalid', field, withoutUser(text).slice(0, 120));
  return undefined;
}

/** Hides a user and password before the host, because they must not appear in logs and reports. */
export function withoutUser(text: string): string {
  return text.replace(/\/\/[^/?#]*@/, '//…@');
}

const PATH_AT = 'https://a'.length;
const IMAGE_ENDINGS = ['.jpg', '.jpeg', '.JPG', '.png', '.webp'];
/** The last letters of the words in `PLACEHOLDER`. */
const LAST_LETTERS = 'osegcrntOSEGCRNT';

/**
 * Whether a URL is clearly a photo and needs no check with the patterns above: most photos are image files named by a
 * number.
 */
function isPlainlyPhoto(url: string): boolean {
  const ending = IMAGE_ENDINGS.find((one) => url.endsWith(one));
  if (ending === undefined || url.includes('?') || url.includes('#') || !url.includes('/', PATH_AT)) return false;
  let at = url.length - ending.length - 1;
  while (isDigit(url.charCodeAt(at))) at -= 1;
  if ('-_.'.includes(url.charAt(at))) at -= 1;
  return !LAST_LETTERS.includes(url.charAt(at));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNoPhoto(url: string): boolean {
  return NOT_A_PHOTO.test(url) || PLACEHOLDER.test(url) || NO_PATH.test(url);
}

/** 16 hexadecimal characters that change when the photo changes and only then. */
export function photoFingerprint(url: string): string {
  const name = unsignedUrl(url);
  // Two simple multiplicative hashes are enough: a listing has about a dozen photos, and no security depends on them.
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

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexadecimal(word: number): string {
  return BYTES[word >>> 24]! + BYTES[(word >>> 16) & 0xff]! + BYTES[(word >>> 8) & 0xff]! + BYTES[word & 0xff]!;
}
