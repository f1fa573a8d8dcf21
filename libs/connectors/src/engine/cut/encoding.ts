import { isAscii, isUtf8, transcode } from 'node:buffer';
import iconv from 'iconv-lite';

export interface DecodedText {
  text: string;
  /** True when the bytes are not UTF-8 although no other encoding is declared, or look like DOS or old Mac text. */
  encodingMismatch: boolean;
}

// Feeds declared as ISO-8859-1 or ASCII often use Windows-1252, which differs only in 0x80–0x9F (€ and ’).
const REALLY_WINDOWS_1252 = /^(iso[-_]?8859[-_]?1|latin-?1|l1|us-ascii|ascii|cp-?819|windows-?1252|cp-?1252)$/;
// iconv-lite also "knows" base64 and hex, which no feed may choose.
const SOME_CHARSET = /^(iso[-_]?8859|windows-?\d|cp-?\d|latin|mac|koi8|ibm|big5|gb|euc|shift|tis)/;
const SOME_UNICODE = /^(utf|ucs|unicode)/;
const BYTE_ORDER_MARKS = /^\ufeff+/;
/** Signs that CP850 or Mac OS Roman was read as Windows-1252: undefined characters, symbols after lower case. */
const OF_ANOTHER_SYSTEM = /\ufffd|(?<=\p{Ll})[‚ƒˆ‡ŠŽ‰](?=\p{Ll}|[\s,.]|$)/u;

/** Decodes as UTF-8 if valid, else by the declared charset, else as Windows-1252. Drops byte order marks. */
export function decodeText(bytes: Uint8Array, declared?: string): DecodedText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) {
    return { text: textOf(buffer).replace(BYTE_ORDER_MARKS, ''), encodingMismatch: false };
  }
  const name = declared?.trim().toLowerCase() ?? '';
  const mismatch = name === '' || SOME_UNICODE.test(name);
  const charset =
    !REALLY_WINDOWS_1252.test(name) && SOME_CHARSET.test(name) && iconv.encodingExists(name) ? name : 'windows-1252';
  // TextDecoder of Node 20 would decode 0x80–0x9F of windows-1252 as control characters.
  const text = iconv.decode(buffer, charset);
  return { text, encodingMismatch: mismatch || (charset === 'windows-1252' && OF_ANOTHER_SYSTEM.test(text)) };
}

/** Below this, a copy costs more than it saves. */
const TRANSCODED_BYTES = 512;

/** The text of valid UTF-8. `toString('utf8')` takes three times as long for text with accents. */
function textOf(buffer: Buffer): string {
  if (isAscii(buffer)) return buffer.toString('latin1');
  return buffer.length < TRANSCODED_BYTES
    ? buffer.toString('utf8')
    : transcode(buffer, 'utf8', 'utf16le').toString('utf16le');
}

/** Converts UTF-16 to UTF-8, so that markup can be found by bytes. Drops UTF-8 byte order marks, even several. */
export async function* toAsciiCompatible(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let transcoder: Utf16Transcoder | undefined;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (head !== undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.length < FEWEST_BYTES || endsInMarks(head)) continue;
      transcoder = utf16TranscoderFor(head);
      bytes = withoutUtf8Marks(head);
      head = undefined;
    }
    if (transcoder !== undefined) bytes = transcoder.write(bytes);
    if (bytes.length > 0) yield bytes;
  }
  if (head !== undefined && head.length > 0) {
    const transcoderOfFew = utf16TranscoderFor(head);
    const bytes = transcoderOfFew === undefined ? withoutUtf8Marks(head) : transcoderOfFew.write(head);
    if (bytes.length > 0) yield bytes;
  }
}

/** The number of bytes that reveals UTF-16 without a byte order mark. */
const FEWEST_BYTES = 4;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** More byte order marks than any program writes. */
const MOST_MARKS = 16;

/** Whether the first bytes are only byte order marks, the last one possibly incomplete. */
function endsInMarks(head: Buffer): boolean {
  const rest = withoutUtf8Marks(head);
  return rest.length < UTF8_MARK.length && UTF8_MARK.subarray(0, rest.length).equals(rest);
}

function withoutUtf8Marks(head: Buffer): Buffer {
  let start = 0;
  for (
    let marks = 0;
    marks < MOST_MARKS && UTF8_MARK.equals(head.subarray(start, start + UTF8_MARK.length));
    marks += 1
  ) {
    start += UTF8_MARK.length;
  }
  return head.subarray(start);
}

function utf16TranscoderFor(head: Buffer): Utf16Transcoder | undefined {
  const [a, b, c, d] = head;
  if (a === undefined || b === undefined) return undefined;
  if (a === 0xff && b === 0xfe) return new Utf16Transcoder('utf-16le');
  if (a === 0xfe && b === 0xff) return new Utf16Transcoder('utf-16be');
  if (c === undefined || d === undefined) return undefined;
  // Without a byte order mark: two ASCII characters of two bytes each.
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return new Utf16Transcoder('utf-16le');
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return new Utf16Transcoder('utf-16be');
  return undefined;
}

/** Converts UTF-16 to UTF-8; chunks may end inside a character. */
class Utf16Transcoder {
  private readonly decoder: iconv.DecoderStream;
  private isFirst = true;
  private highSurrogate = '';

  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.decoder = iconv.getDecoder(encoding, { stripBOM: false });
  }

  write(bytes: Buffer): Buffer {
    let text = this.highSurrogate + this.decoder.write(bytes);
    this.highSurrogate = '';
    if (this.isFirst && text.length > 0) {
      text = text.replace(BYTE_ORDER_MARKS, '');
      this.isFirst = text.length === 0;
    }
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.highSurrogate = text.slice(-1);
      text = text.slice(0, -1);
    }
    return Buffer.from(text, 'utf8');
  }
}
