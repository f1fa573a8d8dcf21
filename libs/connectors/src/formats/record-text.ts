import { decodeText } from '../engine/readers/encoding';
import type { RecordContext } from '../kit/contracts';

/** The text of a record; bytes that are not in the encoding that the feed declares are noticed and read all the same. */
export function recordText(bytes: Buffer, declared: string | undefined, context: RecordContext): string {
  const { text, encodingMismatch } = decodeText(bytes, declared);
  if (encodingMismatch) context.warn('wrong_encoding', '', declared ?? 'UTF-8');
  return text;
}
