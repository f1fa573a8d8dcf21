import type { FeedDocument, RecognizedRecord } from '../../kit/contracts';

const SPACE = 0x20;
const GREATER_THAN = 0x3e;
/** After this many new records in a row, the rest of the document is expected to be new as well. */
const MOST_MISSES = 100;
const NOT_FOUND = -1;
/** The share of a typical record's length that the first search for its end skips. */
const SKIPPED_SHARE = 0.75;
/** Longer records raise the skipped length by the difference divided by this; shorter records lower it immediately. */
const SLOWNESS = 16;

export interface KnownRecord {
  bytes: Buffer;
  recognized: RecognizedRecord;
}

/** The offsets of an element's start, of its name as spelled, and of the end of its start tag. */
export interface StartTag {
  start: number;
  nameStart: number;
  nameEnd: number;
  end: number;
}

/**
 * Finds the end of a known record without parsing it. If the bytes up to a guessed end match a known record, the guess
 * is right; otherwise the element is scanned. The first guess skips most of a typical record's bytes, because searching
 * them takes as long as hashing them.
 */
export class KnownRecords {
  private endTag = Buffer.alloc(0);
  /** How many bytes of the next record the first search skips. */
  private skipped = 0;
  private misses = 0;

  constructor(private readonly recognize: NonNullable<FeedDocument['recognize']>) {}

  find(bytes: Buffer, tag: StartTag): KnownRecord | undefined {
    if (this.misses >= MOST_MISSES) return undefined;
    const endTag = this.endTagFor(bytes, tag);
    const skipTo = tag.start + this.skipped;
    const farEnd = skipTo > tag.end ? endOfFirst(endTag, bytes, skipTo) : NOT_FOUND;
    const far = this.recordUntil(bytes, tag.start, farEnd);
    if (far !== undefined) {
      this.skipped += Math.floor((far.bytes.length * SKIPPED_SHARE - this.skipped) / SLOWNESS);
      this.misses = 0;
      return far;
    }
    const end = endOfFirst(endTag, bytes, tag.end);
    if (end === NOT_FOUND) return undefined;
    const record = end === farEnd ? undefined : this.recordUntil(bytes, tag.start, end);
    if (record === undefined) {
      // The next record may be new too, and hashing it with the bytes after it would be wasted work.
      this.skipped = 0;
      this.misses += 1;
      return undefined;
    }
    this.skipped = Math.floor(record.bytes.length * SKIPPED_SHARE);
    this.misses = 0;
    return record;
  }

  private recordUntil(bytes: Buffer, start: number, end: number): KnownRecord | undefined {
    if (end === NOT_FOUND) return undefined;
    const record = bytes.subarray(start, end);
    const recognized = this.recognize(record);
    return recognized === undefined ? undefined : { bytes: record, recognized };
  }

  /** The end tag without its `>`, because blanks may precede the `>`. */
  private endTagFor(bytes: Buffer, { nameStart, nameEnd }: StartTag): Buffer {
    const endTag = this.endTag;
    const isSame = endTag.length === nameEnd - nameStart + 2 && endTag.compare(bytes, nameStart, nameEnd, 2) === 0;
    if (!isSame) this.endTag = Buffer.concat([Buffer.from('</'), bytes.subarray(nameStart, nameEnd)]);
    return this.endTag;
  }
}

function endOfFirst(endTag: Buffer, bytes: Buffer, from: number): number {
  const found = bytes.indexOf(endTag, from);
  if (found < 0) return NOT_FOUND;
  let at = found + endTag.length;
  while (at < bytes.length && bytes[at]! <= SPACE) at += 1;
  return bytes[at] === GREATER_THAN ? at + 1 : NOT_FOUND;
}
