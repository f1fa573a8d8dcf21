import { decodeText } from '../engine/cut/encoding';
import type { RecordContext } from '../kit/contracts';
import { mendEncodedTwice } from './encoded-twice';

/** Repairs UTF-8 that was encoded twice. Wrong encodings, doubtful passages and lost letters give a warning. */
export function recordText(bytes: Buffer, declared: string | undefined, context: RecordContext): string {
  const { text, encodingMismatch } = decodeText(bytes, declared);
  if (encodingMismatch) context.warn('wrong_encoding', '', declared ?? 'UTF-8');
  if (hasLostLetters(text)) context.warn('wrong_encoding', '', 'U+FFFD: letters that were lost');
  const mended = mendEncodedTwice(text);
  if (mended.isDoubtful) context.warn('wrong_encoding', '', 'UTF-8, maybe encoded twice');
  return mended.text;
}

/** Whether the text contains U+FFFD, also as an XML character reference. */
function hasLostLetters(text: string): boolean {
  return text.includes('\ufffd') || (text.includes('&#') && /&#(?:x0*fffd|0*65533);/i.test(text));
}

/** No format has more cells. A raw form may come from a foreign backup, and name any position. */
const MOST_CELLS = 1_000;

/** The cells of a row from its raw form, whose members are named after their positions; private cells are empty. */
export function rowOfRaw(raw: Readonly<Record<string, unknown>>): string[] {
  const cells: string[] = [];
  for (const [name, cell] of Object.entries(raw)) {
    const position = Number(name);
    if (position < MOST_CELLS) cells[position] = String(cell);
  }
  return Array.from(cells, (cell: string | undefined) => cell ?? '');
}
