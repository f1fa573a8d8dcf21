import { BadFeed } from '@passerelle/domain';
import type { FeedDocument, Slice } from '../../kit/contracts';
import { sniffContent } from './sniff-content';
import { ByteWindow } from './byte-window';
import { KnownRecords } from './known-records';
import { RecordSiblings } from './record-siblings';
import { ForeignDocument, declaredEncoding, skipDoctype } from './xml-prolog';

/** The definition of a record in an XML document. Names are local names: prefixes are ignored. */
export interface XmlSlicing {
  root: string | readonly string[];
  /** The name of a record's element; `*` for every element below `recordParents`, whatever its name. */
  record: string;
  /** Elements outside records that are emitted whole as context slices, under their local name. */
  context?: readonly string[];
  /** Elements around records whose start tag is emitted as a context slice, under their local name. */
  groups?: readonly string[];
  /** Known elements without records, beside records or their parents; unknown elements become `unknown` slices. */
  beside?: readonly string[];
  /** The elements between the root and a record, outermost first. By default a record may be at any depth. */
  recordParents?: readonly string[];
  /** Larger records are emitted as broken. Default 16 MiB. */
  maxRecordBytes?: number;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION_MARK = 0x3f;

const COMMENT_START = Buffer.from('<!--');
const CDATA_START = Buffer.from('<![CDATA[');
const COMMENT_END = Buffer.from('-->');
const CDATA_END = Buffer.from(']]>');
const INSTRUCTION_END = Buffer.from('?>');

const DEFAULT_MAX_RECORD_BYTES = 16 * 1024 * 1024;
const MAX_CONTEXT_BYTES = 1024 * 1024;
const MAX_TAG_BYTES = 1024 * 1024;
const MAX_DEPTH = 256;
/** From this length on, searching for line ends is faster than counting them byte by byte. */
const LONG_BYTES = 512;
const KEPT_HEAD_BYTES = 512;

type Zone = 'frame' | 'record' | 'context' | 'lost';

/** Checks only what cutting needs; the record's parser checks the rest. No library, see docs/decisions/0006. */
export class XmlScanner {
  isOver = false;

  private readonly window = new ByteWindow();
  private readonly rootNames: readonly string[];
  private readonly contextNames: ReadonlySet<string>;
  private readonly groupNames: ReadonlySet<string>;
  private readonly maxRecordBytes: number;
  private readonly knownRecords: KnownRecords | undefined;
  private pos = 0;
  private line = 1;
  /** The bytes that end the current comment, CDATA section or processing instruction. */
  private terminator: Buffer | undefined;

  private zone: Zone = 'frame';
  private zoneStart = 0;
  private zoneLine = 1;
  private contextName = '';
  private problem = '';
  private isTooLarge = false;
  private keptHead: Buffer | undefined;
  /** Hashed names of the open elements in the zone, starting with the zone's own element. */
  private readonly open = new Int32Array(MAX_DEPTH);
  private depth = 0;
  /** In the zone `lost`: how many elements with the record's name are open. */
  private openNamesakes = 0;

  private readonly frame: string[] = [];
  private readonly siblings: RecordSiblings;
  private hasRoot = false;

  // The last tag read.
  private tagHash = 0;
  private tagNameStart = 0;
  private tagLocalStart = 0;
  private tagNameEnd = 0;
  private tagEnd = 0;
  private tagIsSelfClosing = false;
  private tagIsMalformed = false;

  private pending: Slice | undefined;

  constructor(
    private readonly options: XmlSlicing,
    recognize?: FeedDocument['recognize'],
  ) {
    this.knownRecords = recognize && new KnownRecords(recognize);
    this.rootNames = typeof options.root === 'string' ? [options.root] : options.root;
    this.contextNames = new Set(options.context);
    this.groupNames = new Set(options.groups);
    this.siblings = new RecordSiblings(options);
    this.maxRecordBytes = options.maxRecordBytes ?? DEFAULT_MAX_RECORD_BYTES;
  }

  push(chunk: Buffer): void {
    const keepFrom = this.zone === 'frame' || this.keptHead !== undefined ? this.pos : this.zoneStart;
    this.window.push(chunk, keepFrom);
    this.pos -= keepFrom;
    this.zoneStart -= keepFrom;
  }

  /** The next slice, or undefined when more bytes are needed. @throws BadFeed */
  next(): Slice | undefined {
    while (!this.isOver) {
      if (this.siblings.hasFound) return this.siblings.next();
      if (this.terminator !== undefined && !this.skipToTerminator(this.terminator)) break;
      if (!this.skipText()) break;
      const before = this.pos;
      const slice = this.markup();
      if (slice !== undefined) return slice;
      if (this.pos === before) break;
    }
    this.limitZone();
    const pending = this.pending;
    this.pending = undefined;
    return pending;
  }

  /** The last slice, after the last chunk. @throws BadFeed when there was no document. */
  finish(): Slice | undefined {
    if (this.isOver) return undefined;
    this.isOver = true;
    if (!this.hasRoot) {
      if (this.pos >= this.window.bytes.length && this.terminator === undefined) {
        throw new BadFeed('the document is empty');
      }
      throw new BadFeed('the document ends before its root element');
    }
    if (this.zone !== 'frame') {
      const what = this.zone === 'context' ? `<${this.contextName}>` : `the record`;
      return incomplete(`the document ends at line ${this.line}, inside ${what} that starts at line ${this.zoneLine}`);
    }
    if (this.frame.length > 0) {
      return incomplete(`the document ends at line ${this.line}, before the end of <${this.frame[0] ?? ''}>`);
    }
    if (this.pos < this.window.bytes.length || this.terminator !== undefined) {
      return incomplete(`line ${this.line}: something follows the end of the root element`);
    }
    return undefined;
  }

  private stop(message: string): void {
    this.pending = incomplete(`line ${this.line}: ${message}`);
    this.isOver = true;
  }

  /** Moves to the next `<`; false when the window contains none. */
  private skipText(): boolean {
    const bytes = this.window.bytes;
    const end = bytes.length;
    const isInElement = this.frame.length > 0;
    let pos = this.pos;
    let line = this.line;
    for (; pos < end; pos += 1) {
      const byte = bytes[pos]!;
      // One comparison is enough for most bytes of a text, because "<" and line ends have lower codes than letters.
      if (byte > LESS_THAN && isInElement) continue;
      if (byte === LESS_THAN) break;
      if (byte === LINE_FEED) line += 1;
      else if (!isInElement && byte > SPACE) {
        this.pos = pos;
        this.line = line;
        this.refuseTextOutsideRoot();
        return false;
      }
    }
    this.pos = pos;
    this.line = line;
    return pos < end;
  }

  private refuseTextOutsideRoot(): void {
    if (this.hasRoot) {
      this.stop('something follows the end of the root element');
      return;
    }
    const looks = sniffContent(this.window.bytes.subarray(this.pos)) ?? 'plain text';
    throw new BadFeed(`the document is not XML: it looks like ${looks}`);
  }

  private skipToTerminator(terminator: Buffer): boolean {
    const found = this.window.bytes.indexOf(terminator, this.pos);
    if (found < 0) {
      this.advanceTo(Math.max(this.pos, this.window.bytes.length - terminator.length + 1));
      return false;
    }
    this.advanceTo(found + terminator.length);
    this.terminator = undefined;
    return true;
  }

  private advanceTo(pos: number): void {
    const bytes = this.window.bytes;
    let line = this.line;
    if (pos - this.pos < LONG_BYTES) {
      for (let at = this.pos; at < pos; at += 1) if (bytes[at] === LINE_FEED) line += 1;
    } else {
      const span = bytes.subarray(this.pos, pos);
      for (let at = span.indexOf(LINE_FEED); at >= 0; at = span.indexOf(LINE_FEED, at + 1)) line += 1;
    }
    this.line = line;
    this.pos = pos;
  }

  /** Handles the markup at the current position. Does not move while the end of the markup is not in the window. */
  private markup(): Slice | undefined {
    const bytes = this.window.bytes;
    const start = this.pos;
    const next = bytes[start + 1];
    if (next === undefined) return undefined;
    if (next === SLASH) return this.readTag(start + 2) ? this.endTag() : undefined;
    if (isNameStart(next)) return this.readTag(start + 1) ? this.startTag() : undefined;
    if (next === BANG) {
      this.declaration();
      return;
    }
    if (next === QUESTION_MARK) return this.instruction();
    if (this.frame.length === 0) this.refuseTextOutsideRoot();
    else this.pos = start + 1;
    return undefined;
  }

  /** Finds the end of a tag whose name starts at `from`. A `<` inside means that the tag was never closed. */
  private readTag(from: number): boolean {
    const bytes = this.window.bytes;
    const end = bytes.length;
    let at = from;
    let hash = 0;
    let local = from;
    let byte = 0;
    for (; at < end; at += 1) {
      byte = bytes[at]!;
      if (byte === GREATER_THAN || byte <= SPACE || byte === SLASH || byte === LESS_THAN) break;
      if (byte === COLON) local = at + 1;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const nameEnd = at;
    let quote = 0;
    for (; at < end; at += 1) {
      byte = bytes[at]!;
      if (byte === LESS_THAN) break;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === GREATER_THAN) break;
      else if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) quote = byte;
    }
    if (at >= end) {
      if (end - from <= MAX_TAG_BYTES) return false;
      byte = LESS_THAN;
    }
    this.tagIsMalformed = byte === LESS_THAN;
    this.tagHash = hash;
    this.tagNameStart = from;
    this.tagLocalStart = local;
    this.tagNameEnd = nameEnd;
    this.tagIsSelfClosing = !this.tagIsMalformed && at > nameEnd && bytes[at - 1] === SLASH;
    this.tagEnd = this.tagIsMalformed ? at : at + 1;
    return true;
  }

  private startTag(): Slice | undefined {
    const start = this.pos;
    const startLine = this.line;
    if (this.tagEnd === this.tagNameEnd + 1) this.pos = this.tagEnd;
    else this.advanceTo(this.tagEnd);

    if (this.zone === 'frame') return this.frameStartTag(start, startLine);
    if (this.zone === 'lost') {
      if (this.tagHash === this.open[0] && !this.tagIsSelfClosing) this.openNamesakes += 1;
      return undefined;
    }
    if (this.tagIsMalformed) {
      this.lose('a tag is not closed');
      return;
    }
    if (this.tagIsSelfClosing) return undefined;
    if (this.depth === MAX_DEPTH) {
      this.lose(`elements are nested more than ${MAX_DEPTH} deep`);
      return;
    }
    this.open[this.depth] = this.tagHash;
    this.depth += 1;
    return undefined;
  }

  private frameStartTag(start: number, startLine: number): Slice | undefined {
    if (this.tagIsMalformed) {
      if (!this.hasRoot) throw new BadFeed(`line ${startLine}: a tag is not closed`);
      this.stop('a tag is not closed');
      return;
    }
    const name = this.localName();
    if (this.frame.length === 0) {
      if (this.hasRoot) {
        this.stop('a second root element follows the first');
        return;
      }
      this.checkRoot(name);
    } else if ((name === this.options.record || this.options.record === '*') && this.isRecordPlace()) {
      this.siblings.noteRecord();
      return this.knownRecord(start, startLine) ?? this.enter('record', start, startLine);
    } else if (this.contextNames.has(name)) {
      this.siblings.noteElement();
      this.contextName = name;
      return this.enter('context', start, startLine);
    }
    const group = this.groupNames.has(name) ? this.groupSlice(name, start) : undefined;
    this.siblings.open(name);
    if (this.tagIsSelfClosing) {
      this.siblings.close();
      return group;
    }
    if (this.frame.length === MAX_DEPTH) {
      this.stop(`elements are nested more than ${MAX_DEPTH} deep`);
      return;
    }
    this.frame.push(this.fullName());
    return group;
  }

  private groupSlice(name: string, start: number): Slice {
    return { kind: 'context', name, bytes: this.window.bytes.subarray(start, this.tagEnd) };
  }

  private checkRoot(name: string): void {
    this.hasRoot = true;
    if (this.rootNames.includes(name)) return;
    const isErrorPage = name.toLowerCase() === 'html' || name.toLowerCase() === 'error';
    const message = `the document's root element is <${name.slice(0, 60)}>, not ${this.rootNames.map((root) => `<${root}>`).join(' or ')}`;
    throw isErrorPage ? new BadFeed(`${message}: probably an error page`) : new ForeignDocument(message);
  }

  /** The record whose start tag was just read, if it is known and entirely in the window. */
  private knownRecord(start: number, line: number): Slice | undefined {
    if (this.knownRecords === undefined || this.tagIsSelfClosing) return undefined;
    const tag = { start, nameStart: this.tagNameStart, nameEnd: this.tagNameEnd, end: this.tagEnd };
    const known = this.knownRecords.find(this.window.bytes, tag);
    if (known === undefined) return undefined;
    this.advanceTo(start + known.bytes.length);
    return { kind: 'record', bytes: known.bytes, line, recognized: known.recognized };
  }

  private isRecordPlace(): boolean {
    const parents = this.options.recordParents;
    if (parents === undefined) return true;
    if (parents.length !== this.frame.length - 1) return false;
    return parents.every((parent, depth) => localPart(this.frame[depth + 1] ?? '') === parent);
  }

  private enter(zone: 'record' | 'context', start: number, startLine: number): Slice | undefined {
    this.zone = zone;
    this.zoneStart = start;
    this.zoneLine = startLine;
    this.open[0] = this.tagHash;
    this.depth = 1;
    return this.tagIsSelfClosing ? this.leave() : undefined;
  }

  private endTag(): Slice | undefined {
    if (this.tagEnd === this.tagNameEnd + 1) this.pos = this.tagEnd;
    else this.advanceTo(this.tagEnd);
    if (this.zone === 'frame') {
      this.frameEndTag();
      return;
    }
    if (this.zone === 'lost') {
      if (this.tagHash !== this.open[0]) return undefined;
      this.openNamesakes -= 1;
      return this.openNamesakes > 0 ? undefined : this.leave();
    }
    if (this.tagIsMalformed || this.open[this.depth - 1] !== this.tagHash) {
      const message = this.tagIsMalformed
        ? 'a tag is not closed'
        : `the end tag </${this.fullName().slice(0, 60)}> does not match the element that is open`;
      const isContext = this.zone === 'context';
      this.lose(message);
      return isContext ? undefined : this.endTag();
    }
    this.depth -= 1;
    return this.depth > 0 ? undefined : this.leave();
  }

  private frameEndTag(): void {
    const name = this.fullName();
    if (this.tagIsMalformed) {
      this.stop('a tag is not closed');
      return;
    }
    if (this.frame.pop() === name) {
      this.siblings.close();
      return;
    }
    if (!this.hasRoot) throw new BadFeed(`line ${this.line}: the document starts with an end tag`);
    this.stop(`the end tag </${name.slice(0, 60)}> does not match the element that is open`);
  }

  /** Skips a broken record up to its end tag and emits it there. A broken context element ends the document. */
  private lose(message: string): void {
    if (this.zone === 'context') {
      this.stop(message);
      return;
    }
    this.zone = 'lost';
    this.problem = `line ${this.line}: ${message}`;
    this.openNamesakes = 0;
    for (let at = 0; at < this.depth; at += 1) if (this.open[at] === this.open[0]) this.openNamesakes += 1;
  }

  private limitZone(): void {
    if (this.zone === 'frame' || this.keptHead !== undefined) return;
    const length = this.window.bytes.length - this.zoneStart;
    if (this.zone === 'context') {
      if (length > MAX_CONTEXT_BYTES)
        throw new BadFeed(`<${this.contextName}> is larger than ${MAX_CONTEXT_BYTES} bytes`);
      return;
    }
    if (length <= this.maxRecordBytes) return;
    if (this.zone === 'record') this.lose('');
    this.markTooLarge();
    this.keptHead = Buffer.from(this.window.bytes.subarray(this.zoneStart, this.zoneStart + KEPT_HEAD_BYTES));
  }

  private markTooLarge(): void {
    this.isTooLarge = true;
    this.problem = `the record is larger than ${this.maxRecordBytes} bytes`;
  }

  private leave(): Slice {
    const bytes = this.keptHead ?? this.window.bytes.subarray(this.zoneStart, this.pos);
    const line = this.zoneLine;
    const zone = this.zone;
    if (zone !== 'context' && !this.isTooLarge && bytes.length > this.maxRecordBytes) this.markTooLarge();
    const code = this.isTooLarge ? 'too_large' : 'malformed';
    const message = this.problem;
    this.zone = 'frame';
    this.problem = '';
    this.isTooLarge = false;
    this.keptHead = undefined;
    if (zone === 'context') return { kind: 'context', name: this.contextName, bytes };
    if (message !== '') return { kind: 'broken', bytes, line, message, code };
    return { kind: 'record', bytes, line };
  }

  private declaration(): void {
    const bytes = this.window.bytes;
    const start = this.pos;
    if (startsWith(bytes, start, COMMENT_START)) {
      this.pos = start + COMMENT_START.length;
      this.terminator = COMMENT_END;
      return;
    }
    if (startsWith(bytes, start, CDATA_START)) {
      if (this.frame.length === 0) this.refuseTextOutsideRoot();
      this.pos = start + CDATA_START.length;
      this.terminator = CDATA_END;
      return;
    }
    if (bytes.length - start < CDATA_START.length) return;
    const end = skipDoctype(bytes, start, this.line);
    if (end === undefined) return;
    this.advanceTo(end);
    if (this.hasRoot) {
      if (this.zone === 'frame') {
        this.stop('a declaration inside the document');
        return;
      }
      if (this.zone !== 'lost') {
        this.lose('a declaration inside the record');
        return;
      }
    }
  }

  private instruction(): Slice | undefined {
    const end = this.window.bytes.indexOf(INSTRUCTION_END, this.pos + 2);
    if (end >= 0 && !this.hasRoot) {
      const encoding = declaredEncoding(this.window.bytes.subarray(this.pos, end));
      this.advanceTo(end + INSTRUCTION_END.length);
      if (encoding === undefined) return undefined;
      return { kind: 'context', name: '#encoding', bytes: Buffer.from(encoding, 'latin1') };
    }
    if (!this.hasRoot) {
      if (this.window.bytes.length - this.pos > MAX_TAG_BYTES) throw new BadFeed('the XML declaration does not end');
      return undefined;
    }
    this.pos += 2;
    this.terminator = INSTRUCTION_END;
    return undefined;
  }

  private localName(): string {
    return this.window.bytes.toString('latin1', this.tagLocalStart, this.tagNameEnd);
  }

  private fullName(): string {
    return this.window.bytes.toString('latin1', this.tagNameStart, this.tagNameEnd);
  }
}

function incomplete(message: string): Slice {
  return { kind: 'incomplete', message };
}

function localPart(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function startsWith(bytes: Buffer, at: number, start: Buffer): boolean {
  if (bytes.length - at < start.length) return false;
  for (let i = 0; i < start.length; i += 1) if (bytes[at + i] !== start[i]) return false;
  return true;
}

function isNameStart(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte === COLON || byte >= 0x80
  );
}
