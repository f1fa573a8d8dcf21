import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import type { AnswerMemory } from './answer-memory';
import { GZIP_MIN_BYTES } from './compression';

/** A body as a deflate stream without references to earlier data, and the data for its checksum. */
interface DeflatedBody {
  stream: Buffer;
  crc: number;
  /** The factor that advances a checksum over the length of the body. */
  shift: number;
}

/** Cached bytes, with a latin1 prefix and suffix per response: Node sends strings together with the headers. */
export interface Pieces {
  start: string;
  bytes: Buffer;
  end: string;
}

/** The memory of a body besides its bytes: name, cache entry, buffers and headers. Measured. */
const OVERHEAD_BYTES = 2_500;

const NOTHING = Buffer.alloc(0);

const deflate = promisify(deflateRaw);

/** A shared body that follows a per-response start. Compressed once: any start can precede it in a gzip member. */
export class CachedBody {
  private deflated: DeflatedBody | null = null;
  private deflating: Promise<void> | null = null;

  /**
   * @param headers names and values alternate
   * @param lender owns the body's memory: the body then serves one response, unless `takeOver` is called
   */
  constructor(
    private body: Buffer,
    readonly headers: readonly string[],
    readonly etag: string,
    private lender: Pick<AnswerMemory, 'giveBack'> | null = null,
  ) {}

  get isLent(): boolean {
    return this.lender !== null;
  }

  /** Copies the body to separate memory and gives the lent memory back, so that many responses can use the body. */
  takeOver(): void {
    if (this.lender === null) return;
    const own = Buffer.allocUnsafeSlow(this.body.length);
    this.body.copy(own);
    this.giveBack();
    this.body = own;
  }

  /** Gives lent memory back. Called when the only response has been sent, or does not need the body. */
  giveBack(): void {
    if (this.lender === null) return;
    this.lender.giveBack(this.body);
    this.lender = null;
    // A later use of this body must not read the data of other responses.
    this.body = NOTHING;
  }

  /** The memory that the body takes in a cache, in bytes. */
  get size(): number {
    return OVERHEAD_BYTES + this.body.length + (this.deflated?.stream.length ?? 0);
  }

  /** Whether the gzipped form is ready, or the body is too short to need one. */
  get isReadyForGzip(): boolean {
    return this.deflated !== null || this.body.length < GZIP_MIN_BYTES;
  }

  async prepareGzip(): Promise<void> {
    if (this.isReadyForGzip) return;
    this.deflating ??= this.deflate();
    await this.deflating;
  }

  /** `start` and the body. */
  plain(start: string): Pieces {
    return { start, bytes: this.body, end: '' };
  }

  /** `start` and the body as one gzip member; null if the gzipped form is not ready. */
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

/** The header of a gzip member, and `start` (at most 65,535 ASCII characters) as an uncompressed block. */
function headOf(start: string): string {
  const { length } = start;
  return `${GZIP_HEADER}\0${bytesOf(length, 2)}${bytesOf(~length, 2)}${start}`;
}

function tailOf(checksum: number, bytes: number): string {
  return bytesOf(checksum, 4) + bytesOf(bytes, 4);
}

/** The checksum of a few ASCII characters. Node's function would first copy them out of the heap. */
function checksumOf(text: string): number {
  const crc = text.startsWith(USUAL_START) ? advance(USUAL_CRC, text, USUAL_START.length) : advance(~0, text, 0);
  return ~crc >>> 0;
}

function advance(crc: number, text: string, from: number): number {
  let advanced = crc;
  for (let at = from; at < text.length; at += 1) {
    advanced = (CHECKSUMS[(advanced ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (advanced >>> 8);
  }
  return advanced;
}

/** An integer in this number of bytes, with the least significant byte first. */
function bytesOf(integer: number, bytes: 2 | 4): string {
  const low = String.fromCharCode(integer & 0xff, (integer >>> 8) & 0xff);
  return bytes === 2 ? low : low + String.fromCharCode((integer >>> 16) & 0xff, integer >>> 24);
}

/** The polynomial of CRC-32 (RFC 1952, section 8), its bits in reverse. */
const POLYNOMIAL = 0xedb88320;
/** The effect of one byte on a checksum. */
const CHECKSUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
/** The polynomial 1, and x. */
const ONE = 0x80000000;
const X = 0x40000000;

/** x to the power of eight times `bytes`, modulo the polynomial. */
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

/** The product of two polynomials modulo the polynomial of CRC-32. */
function multiply(a: number, b: number): number {
  // Only signed 32-bit integers are used, because V8 stores others as floating point numbers.
  let product = 0;
  let factor = b | 0;
  for (let left = a | 0; left !== 0; left <<= 1) {
    if (left < 0) product ^= factor;
    factor = (factor >>> 1) ^ (POLYNOMIAL & -(factor & 1));
  }
  return product >>> 0;
}

const USUAL_START = '{"status":"success","request_id":"';
const USUAL_CRC = advance(~0, USUAL_START, 0);
