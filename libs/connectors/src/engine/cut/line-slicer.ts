import { BadFeed } from '@passerelle/domain';
import type { FeedDocument, Slice } from '../../kit/contracts';
import { sniffContent } from './sniff-content';
import { ByteWindow } from './byte-window';
import { toAsciiCompatible } from './encoding';

/** How several lines form one record. Both functions receive a line without its line end. */
export interface LineJoining {
  /** Whether a record is open at the line's end; `wasOpen`: whether a record was open at its start. */
  leavesOpen(line: Buffer, wasOpen: boolean): boolean;
  /** Whether this line certainly starts a record, so that an open record ends before it. */
  startsRecord(line: Buffer): boolean;
}

export interface LineSlicing {
  /** By default every line is a record. */
  joining?: LineJoining;
  /** Larger records are emitted as broken. Default 1 MiB. */
  maxRecordBytes?: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const DEFAULT_MAX_RECORD_BYTES = 1024 * 1024;
const KEPT_HEAD_BYTES = 512;

/** A line with fewer separators is no record. */
const FEWEST_SEPARATORS = 19;

/** Records like `"…"!#"…"`, found even after texts with stray quotation marks and line breaks. */
export const QUOTED_BANG_HASH_LINES: LineJoining = {
  leavesOpen(line, wasOpen) {
    if (!wasOpen && line.indexOf(DOUBLE_QUOTE) < 0) return false;
    let isOpen = wasOpen;
    for (let at = 0; at < line.length; at += 1) if (line[at] === DOUBLE_QUOTE) isOpen = !isOpen;
    return isOpen || !endsWithCell(line);
  },
  startsRecord(line) {
    if (line[0] !== DOUBLE_QUOTE) return line.indexOf(DOUBLE_QUOTE) < 0 && hasSeparators(line, FEWEST_SEPARATORS);
    const quote = line.indexOf(DOUBLE_QUOTE, 1);
    if (quote < 0) return false;
    let at = quote + 1;
    while (line[at] === SPACE) at += 1;
    return line[at] === BANG && line[at + 1] === HASH;
  },
};

/** Whether a line ends with `…"` or `…"!#`, but not with the quotation mark that opens a cell: `…!#"`. */
function endsWithCell(line: Buffer): boolean {
  let at = lastInk(line, line.length);
  if (line[at] === HASH && line[at - 1] === BANG) at = lastInk(line, at - 1);
  if (line[at] !== DOUBLE_QUOTE) return false;
  const before = lastInk(line, at);
  return !(line[before] === HASH && line[before - 1] === BANG);
}

/** The offset of the last non-blank byte before `end`; -1 when there is none. */
function lastInk(line: Buffer, end: number): number {
  let at = end - 1;
  while (at >= 0 && line[at]! <= SPACE) at -= 1;
  return at;
}

function hasSeparators(line: Buffer, fewest: number): boolean {
  let at = -1;
  for (let found = 0; found < fewest; found += 1) {
    at = line.indexOf('!#', at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * Cuts text into records by line: CRLF, LF or CR, also mixed. Memory is bounded by the largest record.
 * @throws BadFeed when the text looks like HTML, XML, JSON or something that is not text.
 */
export async function* sliceLines(
  part: FeedDocument,
  slicing: LineSlicing = {},
): AsyncGenerator<Slice, void, undefined> {
  const scanner = new LineScanner(slicing);
  for await (const chunk of toAsciiCompatible(part.open())) {
    scanner.push(chunk);
    for (let slice = scanner.next(false); slice !== undefined; slice = scanner.next(false)) yield slice;
  }
  for (let slice = scanner.next(true); slice !== undefined; slice = scanner.next(true)) yield slice;
}

class LineScanner {
  private readonly window = new ByteWindow();
  private readonly joining: LineJoining | undefined;
  private readonly maxRecordBytes: number;
  /** Where the next unread line starts. */
  private pos = 0;
  private line = 1;
  /** Where the search for the end of the unread line continues. */
  private searched = 0;
  private lineEnd = 0;
  private nextLineStart = 0;
  private hasStarted = false;

  private hasRecord = false;
  private recordStart = 0;
  private recordEnd = 0;
  private recordLine = 1;
  private isRecordOpen = false;
  private keptHead: Buffer | undefined;
  /** Whether the start of this line, before `pos`, was dropped. */
  private isLineCut = false;

  constructor(slicing: LineSlicing) {
    this.joining = slicing.joining;
    this.maxRecordBytes = slicing.maxRecordBytes ?? DEFAULT_MAX_RECORD_BYTES;
  }

  push(chunk: Buffer): void {
    const keepFrom = this.hasRecord && this.keptHead === undefined ? this.recordStart : this.pos;
    this.window.push(chunk, keepFrom);
    this.pos -= keepFrom;
    this.searched -= keepFrom;
    this.recordStart -= keepFrom;
    this.recordEnd -= keepFrom;
  }

  next(isLastChunk: boolean): Slice | undefined {
    while (this.findLine(isLastChunk)) {
      const line = this.window.bytes.subarray(this.pos, this.lineEnd);
      if (this.isLineCut) {
        this.continueRecord(line);
        this.isLineCut = false;
      } else {
        if (this.hasRecord && !this.belongsToRecord(line)) return this.take();
        if (this.hasRecord || !isBlank(line)) this.addLine(line);
      }
      this.pos = this.nextLineStart;
      this.searched = this.pos;
      this.line += 1;
    }
    if (isLastChunk) return this.hasRecord ? this.take() : undefined;
    return this.limitMemory();
  }

  private belongsToRecord(line: Buffer): boolean {
    return this.isRecordOpen && this.joining?.startsRecord(line) === false;
  }

  /** Finds the end of the line at `pos`; false when it is not in the window yet. */
  private findLine(isLastChunk: boolean): boolean {
    const bytes = this.window.bytes;
    const end = bytes.length;
    let at = this.searched;
    for (; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
    }
    this.searched = at;
    this.lineEnd = at;
    if (at >= end) {
      this.nextLineStart = at;
      return isLastChunk && at > this.pos;
    }
    if (bytes[at] === CARRIAGE_RETURN) {
      // Only the next byte shows whether a line feed belongs to this line end.
      if (at + 1 >= end && !isLastChunk) return false;
      this.nextLineStart = bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
    } else this.nextLineStart = at + 1;
    return true;
  }

  private addLine(line: Buffer): void {
    if (!this.hasRecord) {
      this.refuseOtherFormats(line);
      this.hasRecord = true;
      this.recordStart = this.pos;
      this.recordLine = this.line;
      this.isRecordOpen = false;
    }
    this.continueRecord(line);
  }

  private continueRecord(line: Buffer): void {
    this.recordEnd = this.lineEnd;
    this.isRecordOpen = this.joining?.leavesOpen(line, this.isRecordOpen) ?? false;
  }

  private refuseOtherFormats(line: Buffer): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const looks = sniffContent(line);
    if (looks !== undefined) throw new BadFeed(`the document does not hold lines of text: it looks like ${looks}`);
  }

  /** Drops the bytes of a record that is too large, also inside one endless line. */
  private limitMemory(): Slice | undefined {
    const bytes = this.window.bytes;
    const partOfLine = bytes.subarray(this.pos, this.searched);
    if (this.isLineCut || partOfLine.length > this.maxRecordBytes) {
      if (!this.isLineCut && this.hasRecord && !this.belongsToRecord(partOfLine)) return this.take();
      this.addLine(partOfLine);
      this.keptHead ??= Buffer.from(bytes.subarray(this.recordStart, this.recordStart + KEPT_HEAD_BYTES));
      this.isLineCut = true;
      this.pos = this.searched;
    } else if (this.hasRecord && this.recordEnd - this.recordStart > this.maxRecordBytes) {
      this.keptHead ??= Buffer.from(bytes.subarray(this.recordStart, this.recordStart + KEPT_HEAD_BYTES));
    }
    return undefined;
  }

  private take(): Slice {
    const isTooLarge = this.keptHead !== undefined || this.recordEnd - this.recordStart > this.maxRecordBytes;
    const bytes = this.keptHead ?? this.window.bytes.subarray(this.recordStart, this.recordEnd);
    this.hasRecord = false;
    this.keptHead = undefined;
    const line = this.recordLine;
    if (!isTooLarge) return { kind: 'record', bytes, line };
    return {
      kind: 'broken',
      bytes,
      line,
      message: `the record is larger than ${this.maxRecordBytes} bytes`,
      code: 'too_large',
    };
  }
}

function isBlank(line: Buffer): boolean {
  for (let at = 0; at < line.length; at += 1) if (line[at]! > SPACE) return false;
  return true;
}
