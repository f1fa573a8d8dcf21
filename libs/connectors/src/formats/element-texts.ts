import { ByteWindow } from '../engine/cut/byte-window';

/** The maximum length from the name in the opening tag to the end of the closing tag: a longer element is no number. */
const MOST_BYTES = 1_000;
const MOST_PREFIX_BYTES = 64;
const MOST_TEXT_BYTES = 80;
const NUMBERS_CHARACTERS = /^[^<>&\]]+$/;
const CDATA_BEGIN = '<![CDATA[';
const CDATA_END = ']]>';
const LESS_THAN = 0x3c;
const COLON = 0x3a;
const GREATER_THAN = 0x3e;
const SPACE = 0x20;

/** Finds short element texts in chunks of bytes without parsing. It skips texts with entities or other elements. */
export class ElementTexts {
  private readonly window = new ByteWindow();
  private readonly names: readonly { name: string; bytes: Buffer; closing: RegExp }[];
  private from = 0;

  /** @param found is called with each text; within one chunk in the order of the names. */
  constructor(
    names: readonly string[],
    private readonly found: (name: string, text: string) => void,
  ) {
    this.names = names.map((name) => ({
      name,
      bytes: Buffer.from(name),
      closing: new RegExp(`</(?:[\\w-]{1,63}:)?${name}\\s*>`, 'y'),
    }));
  }

  push(chunk: Buffer): void {
    const keepFrom = Math.max(0, this.from - MOST_PREFIX_BYTES - 1);
    this.window.push(chunk, keepFrom);
    this.from -= keepFrom;
    this.lookUntil(this.window.bytes.length - MOST_BYTES);
  }

  end(): void {
    this.lookUntil(this.window.bytes.length);
  }

  private lookUntil(end: number): void {
    if (end <= this.from) return;
    const { bytes } = this.window;
    for (const one of this.names) {
      let at = bytes.indexOf(one.bytes, this.from);
      for (; at !== -1 && at < end; at = bytes.indexOf(one.bytes, at + one.bytes.length)) {
        if (!startsTag(bytes, at) || !endsName(bytes[at + one.bytes.length])) continue;
        const text = textOf(bytes.toString('latin1', at + one.bytes.length, at + MOST_BYTES), one.closing);
        if (text !== null) this.found(one.name, text);
      }
    }
    this.from = end;
  }
}

/**
 * The text of the element, or null if it is another element; `rest` follows the name. It is parsed in steps, because a
 * single regular expression could backtrack on hostile input.
 */
function textOf(rest: string, closing: RegExp): string | null {
  const begin = rest.indexOf('>') + 1;
  const end = rest.indexOf('</', begin);
  if (begin === 0 || end === -1 || rest.lastIndexOf('<', begin - 1) !== -1) return null;
  closing.lastIndex = end;
  if (!closing.test(rest)) return null;
  const inner = rest.slice(begin, end).trim();
  const isMarked = inner.startsWith(CDATA_BEGIN) && inner.endsWith(CDATA_END);
  const text = isMarked ? inner.slice(CDATA_BEGIN.length, -CDATA_END.length).trim() : inner;
  return text.length <= MOST_TEXT_BYTES && NUMBERS_CHARACTERS.test(text) ? text : null;
}

/** Whether the name belongs to an opening tag: it follows `<`, or `<` and a namespace prefix. */
function startsTag(bytes: Buffer, nameAt: number): boolean {
  const before = bytes[nameAt - 1];
  if (before !== COLON) return before === LESS_THAN;
  const prefix = bytes.toString('latin1', Math.max(0, nameAt - 1 - MOST_PREFIX_BYTES), nameAt - 1);
  return /<[\w-]+$/.test(prefix);
}

function endsName(byte: number | undefined): boolean {
  return byte === GREATER_THAN || (byte !== undefined && byte <= SPACE);
}
