import type { JsonRecord } from '../../formats/json-records';
import { toUrl } from '../../kit/clean/links';
import { toNumber } from '../../kit/clean/number';
import { photoFingerprint, type PhotoSource, signedPhoto, toPhotos } from '../../kit/clean/photos';
import { unsignedUrl } from '../../kit/clean/signed-urls';
import { foldWord, toFlag } from '../../kit/clean/fold-word';
import type { MappedListing, RecordContext } from '../../kit/contracts';
import { listOf, scalarOf, textOf } from '../../kit/values';
import { MEDIA_CATEGORIES, valuesOf } from './lookups';

type Medium = Readonly<Record<string, unknown>>;

/** A bare URL counts as a medium without further data. */
export function publicMedia(record: JsonRecord): Medium[] {
  return listOf(record['Media'])
    .filter(isPublic)
    .map((medium) => (typeof medium === 'string' ? { MediaURL: medium } : medium));
}

/** Matches permissions that exclude the public, such as those for agents, firms, offices or members only. */
const RESTRICTED = /(?:only|^private|^none|^confidential)$/;
const IMAGE_TYPES = /^(?:image\b|jpe?g|png|gif|webp|bmp|tiff?|heic)/i;
const DOCUMENT_TYPES = /\b(?:pdf|msword|html|video|mp4)\b/i;

export function isPublic(medium: unknown): medium is Medium | string {
  if (typeof medium !== 'object' || medium === null) return typeof medium === 'string';
  // A nested list has no permission, so it is not public.
  return !Array.isArray(medium) && isShown(medium as Medium);
}

function isShown(medium: Medium): boolean {
  if (toFlag(scalarOf(medium['MlgCanView'])) === false) return false;
  const status = textOf(medium['MediaStatus']);
  if (status !== undefined && /^delete/i.test(status)) return false;
  return !valuesOf(medium['Permission']).some((permission) => RESTRICTED.test(permission));
}

/** Whether an element of `Media` is a tour or a film. Its URL may contain the address of the property. */
export function isTour(medium: unknown): boolean {
  if (typeof medium !== 'object' || medium === null) return false;
  const category = categoryOf(medium as Medium);
  return category === 'tour' || category === 'video' || textOf((medium as Medium)['MediaHTML']) !== undefined;
}

/**
 * The preferred photo, then the others by `Order`, from 0; those without an order come last, as delivered. Plans, tours
 * and portraits are no photos.
 */
export function photosOf(record: JsonRecord, context: RecordContext): MappedListing['photos'] {
  const media = largestOfEach(publicMedia(record).filter((medium) => isPhoto(medium, context)))
    .map((medium) => ({ medium, order: placeOf(medium) }))
    .sort((a, b) => (a.order === b.order ? 0 : a.order - b.order))
    .map(({ medium }) => medium);
  const photos = toPhotos(media.map(photoSource), PHOTO_FIELD, (code, field, value) => {
    context.warn(code, field, value);
  });
  const versions = versionsOf(media);
  const byFingerprint = new Map<string, MappedListing['photos'][number]>();
  for (const photo of photos) {
    const address = unsignedUrl(photo.url);
    const empreinte = photoFingerprint(address + (versions.get(photo.url) ?? ''));
    const known = { ...photo, empreinte };
    if (byFingerprint.has(empreinte)) continue;
    byFingerprint.set(empreinte, address === photo.url ? known : signedPhoto(known, PHOTO_FIELD));
  }
  return [...byFingerprint.values()];
}

function placeOf(medium: Medium): number {
  if (toFlag(scalarOf(medium['PreferredPhotoYN'])) === true) return -Infinity;
  return toNumber(scalarOf(medium['Order'])) ?? Infinity;
}

/**
 * Servers may list each photo in several sizes: records of one `MediaObjectID`, else of one `Order`, each with another
 * `ImageSizeDescription`. Records with the same description are different photos with the same number.
 */
function largestOfEach(media: readonly Medium[]): Medium[] {
  const groups = new Map<unknown, Medium[]>();
  for (const medium of media) {
    const key = sizeWordOf(medium) === '' ? medium : photoKeyOf(medium);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [medium]);
    else group.push(medium);
  }
  return [...groups.values()].flatMap((group): Medium[] => {
    const isOnePhoto = new Set(group.map(sizeWordOf)).size === group.length;
    return isOnePhoto ? [group.reduce((best, one) => (isLarger(one, best) ? one : best))] : group;
  });
}

function photoKeyOf(medium: Medium): unknown {
  const key = textOf(scalarOf(medium['MediaObjectID'])) ?? textOf(scalarOf(medium['Order']));
  return key ?? medium;
}

function sizeWordOf(medium: Medium): string {
  return foldWord(textOf(medium['ImageSizeDescription']) ?? '').replaceAll(/[^a-z]/g, '');
}

/** From the smallest. Other words are in the middle. */
const SIZE_WORDS = ['thumbnail', 'small', 'medium', 'large', 'xlarge', 'largest'];

function isLarger(one: Medium, other: Medium): boolean {
  const [width, otherWidth] = [one, other].map((medium) => toNumber(scalarOf(medium['ImageWidth'])));
  if (width !== undefined && otherWidth !== undefined) return width > otherWidth;
  const [rank, otherRank] = [one, other].map((medium) => {
    const place = SIZE_WORDS.indexOf(sizeWordOf(medium));
    return place === -1 ? SIZE_WORDS.indexOf('medium') : place;
  });
  return rank! > otherRank!;
}

const PHOTO_FIELD = 'Media.MediaURL';

export function tourOf(record: JsonRecord, wanted: 'tour' | 'video'): string | undefined {
  for (const medium of publicMedia(record)) {
    const address = categoryOf(medium) === wanted ? toUrl(textOf(medium['MediaURL'])) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}

function photoSource(medium: Medium): PhotoSource {
  return {
    value: textOf(medium['MediaURL']),
    legende: textOf(medium['ShortDescription']) ?? textOf(medium['LongDescription']),
    largeur: scalarOf(medium['ImageWidth']),
    hauteur: scalarOf(medium['ImageHeight']),
  };
}

function categoryOf(medium: Medium): 'photo' | 'plan' | 'tour' | 'video' | 'other' | undefined {
  const category = textOf(medium['MediaCategory']);
  return category === undefined ? undefined : MEDIA_CATEGORIES.find(category);
}

/** Without a category the file type decides; a document is never a photo. */
function isPhoto(medium: Medium, context: RecordContext): boolean {
  const category = textOf(medium['MediaCategory']);
  const type = textOf(medium['MediaType']);
  if (category === undefined) return type === undefined || IMAGE_TYPES.test(type);
  if (type !== undefined && DOCUMENT_TYPES.test(type)) return false;
  const known = MEDIA_CATEGORIES.find(category);
  if (known === undefined) context.warn('unknown_word', 'Media.MediaCategory', category.slice(0, 120));
  return known === 'photo';
}

/** `MediaModificationTimestamp` changes when the picture itself changes, even if its URL stays the same. */
function versionsOf(media: readonly Medium[]): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const medium of media) {
    const changed = textOf(medium['MediaModificationTimestamp']);
    const address = changed === undefined ? undefined : toUrl(textOf(medium['MediaURL']));
    if (changed !== undefined && address !== undefined && !versions.has(address)) versions.set(address, `#${changed}`);
  }
  return versions;
}
