import { hash } from 'node:crypto';
import {
  fillMask,
  type Listing,
  LISTING_FIELDS,
  type ListingField,
  missingDutiesMask,
  RAW_IDENTITY_FIELDS,
  searchEntryOf,
} from '@passerelle/domain';
import { RecordError } from '../../kit/contracts';
import type { TextBlocks, TextPair } from './text-blocks';

/** A listing as it is stored and sent. */
export interface FinishedListing {
  affId: string;
  affNum: string | undefined;
  fill: number;
  /** Bit mask of the legally required statements that the listing lacks. */
  duties: number;
  /** 32 hex digits of SHA-256 over both texts; records with the same hash are the same version. */
  contentHash: string;
  /** 16 hex digits of SHA-256 over the normalized text; sites compare them. */
  empreinte: string;
  /** The same over the photos' own `empreinte` values, in order and without a separator; null without photos. */
  photosEmpreinte: string | null;
  /** JSON texts as UTF-8. */
  normalized: Buffer;
  raw: Buffer;
  /** Its search entry, as UTF-8 and as a set of terms. */
  searchFields: Buffer;
  searchWords: Buffer;
}

/** Starts of `JSON.stringify`'s escapes for control characters and lone surrogates; plain text after a backslash. */
const ESCAPES = ['\\u0', '\\ud', '\\b', '\\f'];
const DELETE = 0x7f;
/** The first byte of U+0080 to U+00BF in UTF-8; a second byte up to 0x9f makes it a control character. */
const OF_LATIN_1 = 0xc2;
const LAST_CONTROL = 0x9f;

/** Credentials in front of an address's host: `https://user:password@`. */
const USER_IN_ADDRESS = /:\/\/[^\s/?#"'<>\\]{1,200}@/;
const USERS_IN_ADDRESSES = new RegExp(USER_IN_ADDRESS, 'g');

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const HALF_CHARACTERS = /\p{Surrogate}/gu;

/**
 * Puts fields in the order of the vocabulary, drops absent values and control characters; cleans `listing` in place.
 * @throws RecordError when the listing has no id.
 */
export function finishListing(
  listing: Listing,
  rawRecord: Record<string, unknown>,
  crm: string,
  texts: TextBlocks,
): FinishedListing {
  clean(listing, crm);
  let encoded = encode(listing, rawRecord, texts);
  if (encoded.mayHaveControls) {
    stripControls(listing);
    clean(listing, crm);
    encoded = encode(listing, membersWithoutControls(rawRecord), texts);
  }
  const { affId, affNum, photos } = listing;
  const { first, second, both, text, bytes } = encoded;
  return {
    affId,
    affNum,
    fill: fillMask(listing),
    duties: missingDutiesMask(listing),
    contentHash: shortHash(both, 32),
    empreinte: shortHash(first),
    photosEmpreinte: photos.length === 0 ? null : shortHash(photos.map(({ empreinte }) => empreinte).join('')),
    normalized: first,
    raw: second,
    searchFields: text,
    searchWords: bytes,
  };
}

interface Encoded extends TextPair {
  mayHaveControls: boolean;
}

function encode(listing: Listing, rawRecord: Record<string, unknown>, texts: TextBlocks): Encoded {
  const normalized = JSON.stringify(inOrder(listing));
  const raw = rawJson(listing, rawRecord);
  const { fields, words } = searchEntryOf(listing);
  const pair = texts.encodePair(normalized, raw, { text: fields, bytes: words });
  const hasEscapes = ESCAPES.some((escape) => normalized.includes(escape) || raw.includes(escape));
  return { ...pair, mayHaveControls: hasEscapes || hasControls(pair.both) };
}

/** Whether UTF-8 text contains U+007F or one of the control characters that follow it, which JSON does not escape. */
function hasControls(utf8: Buffer): boolean {
  if (utf8.includes(DELETE)) return true;
  for (let at = utf8.indexOf(OF_LATIN_1); at !== -1; at = utf8.indexOf(OF_LATIN_1, at + 2)) {
    if (utf8[at + 1]! <= LAST_CONTROL) return true;
  }
  return false;
}

function shortHash(text: string | Buffer, digits = 16): string {
  return hash('sha256', text, 'hex').slice(0, digits);
}

/** Joins two JSON texts, because in a single object members with numeric names would come before the ids. */
function rawJson({ affId, affNum, passerelleName }: Listing, rawRecord: Record<string, unknown>): string {
  const ids = JSON.stringify({ affId, affNum, passerelleName });
  for (const name of RAW_IDENTITY_FIELDS) if (Object.hasOwn(rawRecord, name)) Reflect.deleteProperty(rawRecord, name);
  const asDelivered = JSON.stringify(rawRecord);
  // Readers must not see credentials in addresses of the source.
  const mayHaveUser = asDelivered.includes('@') && USER_IN_ADDRESS.test(asDelivered);
  const record = mayHaveUser ? asDelivered.replace(USERS_IN_ADDRESSES, '://') : asDelivered;
  return record === '{}' ? ids : `${ids.slice(0, -1)},${record.slice(1)}`;
}

function clean(listing: Listing, crm: string): void {
  for (const field of Object.keys(listing)) {
    if (isAbsent(listing[field as ListingField])) Reflect.deleteProperty(listing, field);
  }
  if (typeof listing.affId !== 'string' || listing.affId === '') {
    throw new RecordError('missing_id', 'the record has no identifier');
  }
  listing.passerelleName = crm;
  listing.photos = Array.isArray(listing.photos) ? listing.photos.filter((photo) => !isAbsent(photo.url)) : [];
  for (const photo of listing.photos) if ('legende' in photo && isAbsent(photo.legende)) delete photo.legende;
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (typeof value === 'number' && !Number.isFinite(value))
  );
}

const PLACES: ReadonlyMap<string, number> = new Map(LISTING_FIELDS.map((field, place) => [field, place]));

/** The listing itself when its fields are in the order of the vocabulary, as in most mappings. */
function inOrder(listing: Listing): object {
  let last = -1;
  for (const field in listing) {
    const place = PLACES.get(field) ?? -1;
    if (place <= last) return reordered(listing);
    last = place;
  }
  return listing;
}

function reordered(listing: Listing): object {
  const ordered: Record<string, unknown> = {};
  for (const field of LISTING_FIELDS) {
    const value = listing[field];
    if (value !== undefined) ordered[field] = value;
  }
  return ordered;
}

function stripControls(listing: Listing): void {
  for (const [field, value] of Object.entries(listing)) {
    const cleaned = withoutControls(value);
    if (JSON.stringify(cleaned) !== JSON.stringify(value)) Reflect.set(listing, field, cleaned);
  }
}

function withoutControls(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL_CHARACTERS, '').replace(HALF_CHARACTERS, '\ufffd');
  if (Array.isArray(value)) return value.map(withoutControls);
  if (typeof value !== 'object' || value === null) return value;
  return membersWithoutControls(value);
}

function membersWithoutControls(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, member]) => [name, withoutControls(member)]));
}
