import { BadFeed } from '@passerelle/domain';

/** XML of another format. In an archive that also contains the feed, such a document may be skipped. */
export class ForeignDocument extends BadFeed {}

const MAX_DOCTYPE_BYTES = 4096;

/** The encoding in the XML declaration, in lower case; undefined if it names none, or for another instruction. */
export function declaredEncoding(instruction: Buffer): string | undefined {
  const text = instruction.toString('latin1');
  if (!/^<\?xml\s/.test(text)) return undefined;
  return /\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']/.exec(text)?.[1]?.toLowerCase();
}

const OPEN_BRACKET = 0x5b;
const GREATER_THAN = 0x3e;
const QUOTES: ReadonlySet<number | undefined> = new Set([0x22, 0x27]);
const HARMLESS = /^<!DOCTYPE\s+[\w:.-]+(?:\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))(?:\s+(?:"[^"]*"|'[^']*'))?)?\s*>$/;

/**
 * Skips a DOCTYPE, but refuses an internal subset: entities can expand without end or read other files.
 * @returns the end of the DOCTYPE, or undefined when the end is not in the window yet. @throws BadFeed
 */
export function skipDoctype(bytes: Buffer, start: number, line: number): number | undefined {
  const stop = endOfDoctype(bytes, start);
  if (stop === undefined && bytes.length - start <= MAX_DOCTYPE_BYTES) return undefined;
  const text = bytes.toString('latin1', start, Math.min(stop ?? bytes.length, start + MAX_DOCTYPE_BYTES));
  if (/^<!doctype\s+html\b/i.test(text)) throw new BadFeed('the document is an HTML page, probably an error page');
  if (HARMLESS.test(text)) return stop;
  const what = /^<!([A-Za-z]{1,20})/.exec(text)?.[1] ?? 'declaration';
  throw new BadFeed(`line ${line}: a <!${what}> that declares something is refused`);
}

/** The offset after the first `>` or `[` outside quotation marks. */
function endOfDoctype(bytes: Buffer, start: number): number | undefined {
  const last = Math.min(bytes.length, start + MAX_DOCTYPE_BYTES);
  let quote: number | undefined;
  for (let at = start; at < last; at += 1) {
    const byte = bytes[at];
    if (quote !== undefined) {
      if (byte === quote) quote = undefined;
    } else if (QUOTES.has(byte)) quote = byte;
    else if (byte === GREATER_THAN || byte === OPEN_BRACKET) return at + 1;
  }
  return undefined;
}
