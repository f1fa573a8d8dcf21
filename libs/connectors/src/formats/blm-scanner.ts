import { BadFeed } from '@passerelle/domain';

import { sniffContent } from '../engine/cut/sniff-content';
import { ByteWindow } from '../engine/cut/byte-window';
import type { Slice } from '../kit/contracts';
import { type BlmHead, dataStart, definitionOf, readBlmHead } from './blm-head';

/** The context key under which the separator and the columns reach the parser of a row. */
export const DEFINITION = 'definition';

const END_MARK = '#END#';
const END_AT_END = /(?:^|[\r\n])[ \t]*#END#\s*$/i;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const MAX_HEAD_BYTES = 512 * 1024;
const MAX_ROW_BYTES = 1024 * 1024;
/** The bytes that are kept from a row that is too large. */
const KEPT_HEAD_BYTES = 512;
/** Enough for the end mark and the blanks after it. */
const TAIL_BYTES = 256;

/** Without an end mark and a Property Count, a file that was cut between two rows looks complete. */
const NO_END: Slice = {
  kind: 'noticed',
  code: 'implausible_value',
  field: END_MARK,
  message: 'neither this mark nor a Property Count: missing rows would not be noticed',
};

const CUT: Slice = { kind: 'incomplete', message: 'the file ends inside a row' };

/** Finds rows in constant memory: the number of cells tells whether a row mark ends a row or is part of a text. */
export class BlmScanner {
  private readonly window = new ByteWindow();
  private head: BlmHead | undefined;
  /** The start of the next row, or of the blanks before it; in the head, the start of the document. */
  private pos = 0;
  /** The position up to which the end of the current row has been searched. */
  private searched = 0;
  private line = 1;
  /** The byte before `pos`: the CR and LF of one line end may be in two chunks. */
  private lastByte: number | undefined;
  private isInRow = false;
  private hasEnded = false;
  /** The last completed row has some cells, but too few. */
  private isShort = false;
  private follows: Slice | undefined;
  /** The start of a row that is too large to keep. */
  private lostStart: Buffer | undefined;

  push(chunk: Buffer): void {
    const keepFrom = this.hasEnded ? this.window.bytes.length : this.pos;
    this.window.push(chunk, keepFrom);
    this.searched = Math.max(0, this.searched - keepFrom);
    this.pos = 0;
  }

  /** The next slice, or undefined when more bytes are needed. @throws BadFeed */
  next(isLast = false): Slice | undefined {
    if (this.head === undefined) return this.readHead();
    while (!this.hasEnded) {
      if (!this.isInRow && !this.startRow(isLast)) return undefined;
      const end = this.findEnd(this.head, isLast);
      if (end === undefined) {
        this.limitMemory(this.head);
        return undefined;
      }
      return this.takeRow(end, this.head.terminator.length);
    }
    this.lookBehindEnd();
    return undefined;
  }

  /** The slices that follow the last chunk. @throws BadFeed if the head is incomplete. */
  *finish(): Generator<Slice, void, undefined> {
    if (this.head === undefined) {
      this.refuseOtherFormats();
      throw new BadFeed('the document ends before its #DATA#');
    }
    for (let slice = this.next(true); slice !== undefined; slice = this.next(true)) yield slice;
    const last = this.isInRow ? [...this.lastRow(this.head)] : [];
    yield* last;
    if (this.follows !== undefined) yield this.follows;
    if (this.head.declaredRows !== undefined) yield { kind: 'declared', count: this.head.declaredRows };
    else if (!this.hasEnded && !last.some(({ kind }) => kind === 'incomplete')) yield this.isShort ? CUT : NO_END;
  }

  private readHead(): Slice | undefined {
    const { bytes } = this.window;
    this.refuseOtherFormats();
    const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
    const start = dataStart(text);
    if (start === undefined) {
      if (bytes.length >= MAX_HEAD_BYTES)
        throw new BadFeed('the document has no #DEFINITION# and #DATA# in its first part');
      return undefined;
    }
    this.head = readBlmHead(text.slice(0, start));
    this.moveTo(start);
    return { kind: 'context', name: DEFINITION, bytes: Buffer.from(JSON.stringify(definitionOf(this.head))) };
  }

  private refuseOtherFormats(): void {
    const { bytes } = this.window;
    let at = 0;
    while (at < bytes.length && bytes[at]! <= SPACE) at += 1;
    if (at === bytes.length || bytes[at] === HASH) return;
    throw new BadFeed(
      `the document is not a BLM file: it looks like ${sniffContent(bytes.subarray(at)) ?? 'plain text'}`,
    );
  }

  /** Moves to the first byte of the next row; false if more bytes are needed or the file has ended. */
  private startRow(isLast: boolean): boolean {
    const { bytes } = this.window;
    const separatorStart = this.head?.separator[0];
    let at = this.pos;
    while (at < bytes.length && bytes[at]! <= SPACE && bytes[at] !== separatorStart) at += 1;
    this.moveTo(at);
    if (at === bytes.length) return false;
    if (bytes[at] === HASH) {
      const mark = bytes.toString('latin1', at, at + END_MARK.length).toUpperCase();
      if (mark === END_MARK) {
        this.hasEnded = true;
        this.moveTo(at + END_MARK.length);
        this.lookBehindEnd();
        return false;
      }
      if (!isLast && END_MARK.startsWith(mark)) return false;
    }
    this.isInRow = true;
    this.searched = at;
    return true;
  }

  /** Finds the mark that ends the row; undefined if it has not been received yet. */
  private findEnd(head: BlmHead, isLast: boolean): number | undefined {
    const { bytes } = this.window;
    const { terminator, columns, separatorsPerRow } = head;
    const first = bytes.indexOf(terminator, this.searched);
    if (first < 0) {
      this.searched = Math.max(this.pos, bytes.length - terminator.length + 1);
      return undefined;
    }
    this.searched = first;
    const separators = this.separatorsIn(head, this.pos, first);
    this.isShort = separators > 0 && separators < columns.length - 1;
    if (this.lostStart !== undefined || separators >= separatorsPerRow || separators === 0) return first;
    // The row has too few cells. If this mark is inside a text, the cells up to one of the next marks make exactly one
    // row.
    if (first + terminator.length >= bytes.length && !isLast) return undefined;
    if (this.looksLikeRowEnd(head, first)) return first;
    let end = first;
    let total = separators;
    while (total < separatorsPerRow) {
      const from = end + terminator.length;
      end = bytes.indexOf(terminator, from);
      if (end < 0) return isLast || bytes.length - this.pos > MAX_ROW_BYTES ? first : undefined;
      total += this.separatorsIn(head, from, end);
    }
    if (total > columns.length) return first;
    this.isShort = false;
    return end;
  }

  private looksLikeRowEnd({ separator, terminator }: BlmHead, at: number): boolean {
    const { bytes } = this.window;
    const after = bytes[at + terminator.length];
    const isAtLineEnd = after === undefined || after === LINE_FEED || after === CARRIAGE_RETURN;
    return isAtLineEnd && bytes.subarray(at - separator.length, at).equals(separator);
  }

  private separatorsIn({ separator }: BlmHead, from: number, to: number): number {
    const { bytes } = this.window;
    let count = 0;
    for (
      let at = bytes.indexOf(separator, from);
      at >= 0 && at < to;
      at = bytes.indexOf(separator, at + separator.length)
    )
      count += 1;
    return count;
  }

  private takeRow(end: number, markLength: number): Slice {
    const line = this.line;
    const bytes = this.lostStart ?? this.window.bytes.subarray(this.pos, end);
    const isTooLarge = this.lostStart !== undefined || bytes.length > MAX_ROW_BYTES;
    this.lostStart = undefined;
    this.isInRow = false;
    this.moveTo(end + markLength);
    if (!isTooLarge) return { kind: 'record', bytes, line };
    return { kind: 'broken', bytes, line, message: `the row is larger than ${MAX_ROW_BYTES} bytes`, code: 'too_large' };
  }

  /** The last row, if the bytes end inside it: only its end mark is missing, or the file was cut. */
  private *lastRow(head: BlmHead): Generator<Slice, void, undefined> {
    const { bytes } = this.window;
    const line = this.line;
    const tail = END_AT_END.exec(bytes.toString('latin1', Math.max(this.pos, bytes.length - TAIL_BYTES)));
    this.hasEnded = tail !== null;
    const end = bytes.length - (tail?.[0].length ?? 0);
    if (this.lostStart !== undefined) yield this.takeRow(end, 0);
    else if (this.hasEnded && this.separatorsIn(head, this.pos, end) >= head.columns.length - 1)
      yield this.takeRow(end, 0);
    else yield { kind: 'broken', bytes: bytes.subarray(this.pos, end), line, message: 'the row has no end' };
    if (!this.hasEnded)
      yield { kind: 'incomplete', message: `the file ends inside the row that starts at line ${line}` };
  }

  private limitMemory({ terminator }: BlmHead): void {
    const { bytes } = this.window;
    if (this.lostStart === undefined) {
      if (bytes.length - this.pos <= MAX_ROW_BYTES) return;
      this.lostStart = Buffer.from(bytes.subarray(this.pos, this.pos + KEPT_HEAD_BYTES));
    }
    // A chunk may end inside the end mark of the file or of the row.
    this.moveTo(Math.max(this.pos, bytes.length - TAIL_BYTES - terminator.length));
  }

  /** A second file after the end mark makes the feed incomplete: its rows would be lost without a warning. */
  private lookBehindEnd(): void {
    const { bytes } = this.window;
    while (this.pos < bytes.length && bytes[this.pos]! <= SPACE) this.pos += 1;
    if (bytes[this.pos] === HASH) this.follows = { kind: 'incomplete', message: 'another file follows the #END#' };
  }

  private moveTo(at: number): void {
    const { bytes } = this.window;
    for (
      let end = bytes.indexOf(CARRIAGE_RETURN, this.pos);
      end >= 0 && end < at;
      end = bytes.indexOf(CARRIAGE_RETURN, end + 1)
    ) {
      this.line += 1;
    }
    for (let end = bytes.indexOf(LINE_FEED, this.pos); end >= 0 && end < at; end = bytes.indexOf(LINE_FEED, end + 1)) {
      const before = end > this.pos ? bytes[end - 1] : this.lastByte;
      if (before !== CARRIAGE_RETURN) this.line += 1;
    }
    if (at > this.pos) this.lastByte = bytes[at - 1];
    this.pos = at;
  }
}
