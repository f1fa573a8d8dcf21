import { BadFeed } from '@passerelle/domain';

/** XML of another format. Beside the feed in one archive it may be passed over. */
export class ForeignDocument extends BadFeed {}

const MAX_DOCTYPE_BYTES = 4096;

/** The encoding that an XML declaration names, in lower case; undefined for other instructions or without one. */
export function declaredEncoding(instruction: Buffer): string | undefined {
  const text = instruction.toString('latin1');
  if (!/^<\?xml\s/.test(text)) return undefined;
  return /\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']/.exec(text)?.[1]?.toLowerCase();
}

/**
 * Lets nothing pass but a bare `<!DOCTYPE name>`: entities can be made to expand without end or to read other files.
 *
 * @returns where the declaration ends, or undefined when its end is not in sight yet.
 * @throws BadFeed
 */
export function refuseDoctype(bytes: Buffer, start: number, line: number): number | undefined {
  const end = bytes.indexOf('>', start);
  const subset = bytes.subarray(start, end < 0 ? bytes.length : end).indexOf('[');
  if (end < 0 && subset < 0 && bytes.length - start <= MAX_DOCTYPE_BYTES) return undefined;
  const text = bytes.toString('latin1', start, end < 0 ? Math.min(bytes.length, start + MAX_DOCTYPE_BYTES) : end + 1);
  if (/^<!doctype\s+html\b/i.test(text)) throw new BadFeed('the document is an HTML page, probably an error page');
  if (/^<!DOCTYPE\s+[\w:.-]+\s*>$/.test(text)) return end + 1;
  const what = /^<!([A-Za-z]{1,20})/.exec(text)?.[1] ?? 'declaration';
  throw new BadFeed(`line ${line}: a <!${what}> that declares or refers to something is refused`);
}
