import { decodeText } from '../engine/readers/encoding';
import type { RecordContext } from '../kit/contracts';

/** Decodes a record. Bytes that do not fit the declared encoding give a warning, and are decoded all the same. */
export function recordText(bytes: Buffer, declared: string | undefined, context: RecordContext): string {
  const { text, encodingMismatch } = decodeText(bytes, declared);
  if (encodingMismatch) context.warn('wrong_encoding', '', declared ?? 'UTF-8');
  return text;
}
