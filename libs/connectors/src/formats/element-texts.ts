import { ByteWindow } from '../engine/cut/byte-window';

/** From the name in the opening tag to the end of the closing one; what takes more is no number. */
const MOST_BYTES = 1_000;
/** A namespace's prefix ahead of the name. */
const MOST_PREFIX_BYTES = 64;
const LESS_THAN = 0x3c;
const COLON = 0x3a;
const GREATER_THAN = 0x3e;
const SPACE = 0x20;

/**
 * Finds short texts of some elements in a document's bytes, whatever these are split into, without cutting or parsing it.
 * Texts with entities, and those that go on into another element, are left out.
 */
export class ElementTexts {
  private readonly window = new ByteWindow();
  private readonly names: readonly { name: string; bytes: Buffer; text: RegExp }[];
  /** Where the next look begins. */
  private from = 0;

  /** @param found is called with each text, in the order of the names where chunks have several. */
  constructor(
    names: readonly string[],
    private readonly found: (name: string, text: string) => void,
  ) {
    this.names = names.map((name) => ({
      name,
      bytes: Buffer.from(name),
      // No two parts can match the same characters: a document that is made for it would have them tried in every way.
      text: new RegExp(
        `^(?:\\s[^<>]*)?>\\s*(?:<!\\[CDATA\\[\\s*(?!\\s))?([^<>&\\]]{1,80}\\s*)(?:\\]\\]>\\s*(?!\\s))?</(?:[\\w-]{1,63}:)?${name}\\s*>`,
      ),
    }));
  }

  push(chunk: Buffer): void {
    const keepFrom = Math.max(0, this.from - MOST_PREFIX_BYTES - 1);
    this.window.push(chunk, keepFrom);
    this.from -= keepFrom;
    this.lookUntil(this.window.bytes.length - MOST_BYTES);
  }

  /** After the last chunk. */
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
        const text = one.text.exec(bytes.toString('latin1', at + one.bytes.length, at + MOST_BYTES))?.[1];
        if (text !== undefined) this.found(one.name, text.trimEnd());
      }
    }
    this.from = end;
  }
}

/** Whether a name stands behind `<`, or behind a prefix that does. */
function startsTag(bytes: Buffer, nameAt: number): boolean {
  const before = bytes[nameAt - 1];
  if (before !== COLON) return before === LESS_THAN;
  const prefix = bytes.toString('latin1', Math.max(0, nameAt - 1 - MOST_PREFIX_BYTES), nameAt - 1);
  return /<[\w-]+$/.test(prefix);
}

function endsName(byte: number | undefined): boolean {
  return byte === GREATER_THAN || (byte !== undefined && byte <= SPACE);
}
