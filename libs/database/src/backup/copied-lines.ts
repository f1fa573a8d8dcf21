import { Buffer } from 'node:buffer';
import { BackupRefused, shown } from './manifest';
import type { TextRule } from './text-rules';

const LINE_END = 10;
const TAB = 9;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;
/** Far longer than any row of the product. Without a limit, a hostile file could fill the memory with one line. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024;

/** Filters the lines of `COPY` text. @throws Error when the input ends in the middle of a row */
export function linesThat(wants: (line: Buffer) => boolean): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of chunks) {
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const kept: Buffer[] = [];
      let start = 0;
      for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
        const line = bytes.subarray(start, end + 1);
        if (wants(line)) kept.push(line);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > LONGEST_LINE_BYTES) throw new Error('it has a row that is too long');
      if (kept.length > 0) yield Buffer.concat(kept);
    }
    if (rest.length > 0) throw new Error('it ends within a row');
  };
}

/** The values of some columns of a line, still escaped. */
export function valuesOf(line: Buffer, columns: readonly number[]): string[] {
  const values: string[] = [];
  const last = Math.max(...columns);
  for (let column = 0, start = 0; column <= last; column += 1) {
    const end = endOfValue(line, start);
    if (columns.includes(column)) values[columns.indexOf(column)] = line.toString('utf8', start, end);
    start = end + 1;
  }
  return values;
}

function endOfValue(line: Buffer, start: number): number {
  const tab = line.indexOf(TAB, start);
  return tab === -1 ? line.length - 1 : tab;
}

/** Rejects escapes that PostgreSQL does not write, so that PostgreSQL and this check read the same values. */
export class LineCheck {
  private line = 0;
  private readonly rules: readonly (TextRule | undefined)[];

  constructor(
    private readonly path: string,
    private readonly columns: readonly string[],
    rules: Readonly<Record<string, TextRule>>,
  ) {
    this.rules = columns.map((column) => (Object.hasOwn(rules, column) ? rules[column] : undefined));
  }

  /** @throws BackupRefused naming file, line and column */
  check(line: Buffer): void {
    this.line += 1;
    if (line.includes(CARRIAGE_RETURN)) this.refuse('has a carriage return');
    let column = 0;
    let start = 0;
    while (start <= line.length - 1) {
      const end = endOfValue(line, start);
      if (column >= this.columns.length) this.refuse('has more values than columns');
      this.checkValue(column, line.subarray(start, end));
      column += 1;
      start = end + 1;
    }
    if (column !== this.columns.length) this.refuse('has fewer values than columns');
  }

  private checkValue(column: number, escaped: Buffer): void {
    const bytes = unescaped(escaped);
    if (bytes === undefined) this.refuse(`has an escape in ${this.columns[column]} that PostgreSQL does not write`);
    const rule = this.rules[column];
    if (rule === undefined || bytes === null) return;
    const text = bytes.toString('utf8');
    if (rule.holds(text)) return;
    this.refuse(`has ${shown(text)} in ${this.columns[column]}, which must be ${rule.is}`);
  }

  private refuse(why: string): never {
    throw new BackupRefused(`${this.path}, line ${this.line}, ${why}`);
  }
}

const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': BACKSLASH }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte,
  ]),
);
const NULL_VALUE = Buffer.from('\\N');

/** The bytes of a value, null for NULL; undefined when it has an escape that COPY TO does not write. */
function unescaped(value: Buffer): Buffer | null | undefined {
  let at = value.indexOf(BACKSLASH);
  if (at === -1) return value;
  if (value.equals(NULL_VALUE)) return null;
  const bytes = Buffer.allocUnsafe(value.length);
  let used = 0;
  let start = 0;
  for (; at !== -1; at = value.indexOf(BACKSLASH, start)) {
    const byte = ESCAPES.get(value[at + 1] ?? 0);
    if (byte === undefined) return undefined;
    used += value.copy(bytes, used, start, at);
    used = bytes.writeUInt8(byte, used);
    start = at + 2;
  }
  used += value.copy(bytes, used, start);
  return bytes.subarray(0, used);
}
