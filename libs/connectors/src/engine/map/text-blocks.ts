const BLOCK_BYTES = 256 * 1024;
/** Maximum bytes of UTF-8 for one unit of UTF-16. */
const MOST_BYTES = 3;

/** Two texts as UTF-8, and the values stored with them. */
export interface TextPair {
  first: Buffer;
  second: Buffer;
  /** Both texts, with a zero byte between them. */
  both: Buffer;
  /** The values stored with the texts. */
  text: Buffer;
  bytes: Buffer;
}

const NOTHING: Beside = { text: '', bytes: Buffer.alloc(0) };

interface Beside {
  text: string;
  bytes: Uint8Array;
}

/** Encodes many texts into one block outside the heap, so that hashing and sending them needs no new encoding. */
export class TextBlocks {
  private block = Buffer.alloc(0);
  private used = 0;

  encodePair(first: string, second: string, beside = NOTHING): TextPair {
    const most = (first.length + second.length + beside.text.length) * MOST_BYTES + beside.bytes.length + 1;
    if (this.used + most > this.block.length) {
      this.block = Buffer.allocUnsafeSlow(Math.max(most, BLOCK_BYTES));
      this.used = 0;
    }
    const { block, used: start } = this;
    const end = start + block.write(first, start);
    block[end] = 0;
    const endOfBoth = end + 1 + block.write(second, end + 1);
    const endOfText = endOfBoth + block.write(beside.text, endOfBoth);
    block.set(beside.bytes, endOfText);
    this.used = endOfText + beside.bytes.length;
    return {
      first: block.subarray(start, end),
      second: block.subarray(end + 1, endOfBoth),
      both: block.subarray(start, endOfBoth),
      text: block.subarray(endOfBoth, endOfText),
      bytes: block.subarray(endOfText, this.used),
    };
  }
}
