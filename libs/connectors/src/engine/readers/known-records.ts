import type { FeedPart, RecognizedRecord } from '../../kit/contracts';

const SPACE = 0x20;
const GREATER_THAN = 0x3e;
/** After so many in a row that are new, the others are not expected to be known either. */
const MOST_MISSES = 100;

/** A record that was read before. */
export interface KnownRecord {
  /** Where it ends. */
  end: number;
  recognized: RecognizedRecord;
}

/**
 * Finds the end of an element that was a record before, without looking into it. An element ends at the first end tag
 * that leaves none of its own open. Bytes that were a whole element once are one wherever they stand, so a guess of the end
 * is right when it makes a record that is recognized, and of no account when it does not: then the element is scanned.
 */
export class KnownRecords {
  #endTag = Buffer.alloc(0);
  #misses = 0;

  constructor(private readonly recognize: NonNullable<FeedPart['recognize']>) {}

  /**
   * @param start where the element starts.
   * @param name its name, as it is spelled.
   * @param from where its start tag ends.
   */
  find(bytes: Buffer, start: number, name: Buffer, from: number): KnownRecord | undefined {
    if (this.#misses >= MOST_MISSES) return undefined;
    const endTag = this.#endTagOf(name);
    const found = bytes.indexOf(endTag, from);
    if (found < 0) return undefined;
    let at = found + endTag.length;
    while (at < bytes.length && bytes[at]! <= SPACE) at += 1;
    if (bytes[at] !== GREATER_THAN) return undefined;
    const end = at + 1;
    const recognized = this.recognize(bytes.subarray(start, end));
    if (recognized === undefined) {
      this.#misses += 1;
      return undefined;
    }
    this.#misses = 0;
    return { end, recognized };
  }

  #endTagOf(name: Buffer): Buffer {
    const isSame = this.#endTag.length === name.length + 2 && this.#endTag.compare(name, 0, name.length, 2) === 0;
    if (!isSame) this.#endTag = Buffer.concat([Buffer.from('</'), name]);
    return this.#endTag;
  }
}
