import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import type { AnswerMemory } from './answer-memory';
import { GZIP_MIN_BYTES } from './compression';

/** A body as a deflate stream that refers to nothing before it, and what its checksum needs. */
interface DeflatedBody {
  stream: Buffer;
  crc: number;
  /** Carries a checksum over as many bytes as the body has. */
  shift: number;
}

/**
 * What is sent of a body: the kept bytes, and what is one answer's own, as binary strings (latin1): Node sends a string
 * with the headers, and has to allocate nothing outside of the heap.
 */
export interface Pieces {
  start: string;
  bytes: Buffer;
  end: string;
}

/** Its name, its place in a cache, its buffers, its headers and those that its answers share; measured. */
const OVERHEAD_BYTES = 2_500;

const NOTHING = Buffer.alloc(0);

const deflate = promisify(deflateRaw);

/**
 * A body that many answers share but for their start, which names the request. Once somebody wants it gzipped it is kept in
 * that form as well, in such a way that any start can be put in front of it: what is sent is one gzip member, made
 * without compressing again.
 */
export class CachedBody {
  private deflated: DeflatedBody | null = null;
  private deflating: Promise<void> | null = null;

  /**
   * @param headers of every answer with this body: names and values by turns
   * @param etag its weak validator
   * @param lender whose memory the body is in: it is good for one answer, unless it is taken over
   */
  constructor(
    private body: Buffer,
    readonly headers: readonly string[],
    readonly etag: string,
    private lender: Pick<AnswerMemory, 'giveBack'> | null = null,
  ) {}

  /** Whether its memory has to be given back. */
  get isLent(): boolean {
    return this.lender !== null;
  }

  /** Moves it to memory of its own, so that many answers can have it. */
  takeOver(): void {
    if (this.lender === null) return;
    const own = Buffer.allocUnsafeSlow(this.body.length);
    this.body.copy(own);
    this.giveBack();
    this.body = own;
  }

  /** The one answer that it was made for has left, or has no use for it. */
  giveBack(): void {
    if (this.lender === null) return;
    this.lender.giveBack(this.body);
    this.lender = null;
    // A use after this must not find what others have put there.
    this.body = NOTHING;
  }

  /** Bytes of memory that it takes where it is kept. */
  get size(): number {
    return OVERHEAD_BYTES + this.body.length + (this.deflated?.stream.length ?? 0);
  }

  /** Whether it can be sent gzipped at once, or is not worth it. */
  get isReadyForGzip(): boolean {
    return this.deflated !== null || this.body.length < GZIP_MIN_BYTES;
  }

  /** Makes the gzipped form, once. */
  async prepareGzip(): Promise<void> {
    if (this.isReadyForGzip) return;
    this.deflating ??= this.deflate();
    await this.deflating;
  }

  /** `start` and the body. */
  plain(start: string): Pieces {
    return { start, bytes: this.body, end: '' };
  }

  /** The same as one gzip member; null when it has no gzipped form. */
  gzip(start: string): Pieces | null {
    const { deflated } = this;
    if (deflated === null) return null;
    const checksum = (multiply(deflated.shift, checksumOf(start)) ^ deflated.crc) >>> 0;
    const end = tailOf(checksum, start.length + this.body.length);
    return { start: headOf(start), bytes: deflated.stream, end };
  }

  private async deflate(): Promise<void> {
    const { body } = this;
    this.deflated = { stream: await deflate(body), crc: crc32(body), shift: shiftOver(body.length) };
  }
}

const GZIP_HEADER = String.fromCharCode(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** The header of a gzip member, and `start` as a block that is not compressed: ASCII of at most 65,535 characters. */
function headOf(start: string): string {
  const { length } = start;
  return `${GZIP_HEADER}\0${bytesOf(length, 2)}${bytesOf(~length, 2)}${start}`;
}

function tailOf(checksum: number, bytes: number): string {
  return bytesOf(checksum, 4) + bytesOf(bytes, 4);
}

/** The checksum of a few ASCII characters: Node's own would first have to copy them out of the heap. */
function checksumOf(text: string): number {
  let crc = ~0;
  for (let at = 0; at < text.length; at += 1) crc = (CHECKSUMS[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** An integer in that many bytes, the least significant first. */
function bytesOf(integer: number, bytes: 2 | 4): string {
  const low = String.fromCharCode(integer & 0xff, (integer >>> 8) & 0xff);
  return bytes === 2 ? low : low + String.fromCharCode((integer >>> 16) & 0xff, integer >>> 24);
}

/** The polynomial of CRC-32 (RFC 1952, section 8), its bits in reverse. */
const POLYNOMIAL = 0xedb88320;
/** What one byte does to a checksum. */
const CHECKSUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
/** The polynomial 1, and x. */
const ONE = 0x80000000;
const X = 0x40000000;

/** x to the power of 8 for each byte, modulo the polynomial. */
function shiftOver(bytes: number): number {
  let power = multiply(X, X);
  power = multiply(power, power);
  power = multiply(power, power);
  let product = ONE;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) product = multiply(power, product);
    power = multiply(power, power);
  }
  return product;
}

/** The product of two polynomials modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  // Signed integers of 32 bits throughout: others are floating point numbers to V8.
  let product = 0;
  let factor = b | 0;
  for (let left = a | 0; left !== 0; left <<= 1) {
    if (left < 0) product ^= factor;
    factor = (factor >>> 1) ^ (POLYNOMIAL & -(factor & 1));
  }
  return product >>> 0;
}
