import { RetryLater } from '@passerelle/domain';
import type { Spool } from './spool';

/** How long a file must keep its size and time before it is read, because CRMs pause for seconds while writing. */
export const SETTLED_AFTER_MS = 5000;
/** The wait is this many times longer when the file does not look finished. */
export const UNFINISHED_FACTOR = 6;
const WRITING_TAKES_MS = 10_000;

/** Without an end mark, a file looks finished at this share of its previous size, because feeds rarely shrink more. */
const PLAUSIBLE_SHARE = 0.9;
const HEAD_BYTES = 16 * 1024;
/** The end record of a ZIP archive has 22 bytes, and a comment of up to 64 KiB. */
const TAIL_BYTES = 22 + 64 * 1024;
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');

/** The error for a file that is still growing: an incomplete file must never be published. */
export function stillBeingWritten(shown: string): RetryLater {
  return new RetryLater(`${shown} is still being written`, WRITING_TAKES_MS);
}

export function changedWhileRead(shown: string): RetryLater {
  return new RetryLater(`${shown} changed while it was read`, WRITING_TAKES_MS);
}

/** Whether the file's end closes its start. A file of lines has no end, so it must not be much smaller than before. */
export async function looksFinished(
  file: Pick<Spool, 'sizeBytes' | 'open' | 'read'>,
  previousSizeBytes: number | undefined,
): Promise<boolean> {
  if (file.sizeBytes === 0) return false;
  const start = textOf(await file.read(0, HEAD_BYTES));
  const tail = await file.read(Math.max(0, file.sizeBytes - TAIL_BYTES), TAIL_BYTES);
  if (start.startsWith('PK')) return hasZipEnd(tail);
  if (start.startsWith('<')) return closesRoot(start, textOf(tail));
  if (/^(?:\{\s*["}]|\[\s*[[{\]])/.test(start)) return await closesBrackets(file.open());
  if (/^#HEADER#/i.test(start)) return /#END#/i.test(textOf(tail));
  return file.sizeBytes >= (previousSizeBytes ?? 0) * PLAUSIBLE_SHARE;
}

/** Markup is ASCII in every encoding, except for the zeros in UTF-16. */
function textOf(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)+/, '')
    .trim();
}

function hasZipEnd(tail: Buffer): boolean {
  const at = tail.lastIndexOf(ZIP_END);
  return at >= 0 && at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length;
}

function closesRoot(start: string, end: string): boolean {
  const root = /<([^\s<>/?!]+)[\s/>]/.exec(start.replace(/<!--.*?-->/gs, ''))?.[1];
  let rest = end;
  for (const [open, close] of [...MISCELLANEOUS, ...MISCELLANEOUS]) {
    if (rest.endsWith(close)) rest = rest.slice(0, rest.lastIndexOf(open)).trimEnd();
  }
  if (root === undefined || !rest.endsWith('>')) return false;
  const lastTag = rest.slice(rest.lastIndexOf('<'), -1).trimEnd();
  return lastTag === `</${root}` || (lastTag.endsWith('/') && lastTag.slice(1, -1).split(/\s/, 1)[0] === root);
}

/** The markup that may follow the root element. */
const MISCELLANEOUS = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

async function closesBrackets(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = isInText;
      else if (byte === QUOTE) isInText = !isInText;
      else if (isInText) continue;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    }
  }
  return depth === 0 && !isInText;
}
