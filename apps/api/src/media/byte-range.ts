/** Places of bytes, counted from 0; both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

const RANGE = /^bytes=(\d{1,15})?-(\d{1,15})?$/;

/**
 * The part of a body that a request asks for (RFC 9110, section 14). Null when it asks for all of it, for several parts, or
 * for one that is not there: a server may always send the whole.
 */
export function requestedRange(range: string | undefined, bytes: number): ByteRange | null {
  const [matched, first, last] = RANGE.exec(range?.replaceAll(' ', '') ?? '') ?? [];
  if (matched === undefined || bytes === 0) return null;
  if (first === undefined) {
    const length = Number(last ?? 0);
    return length === 0 ? null : { start: Math.max(0, bytes - length), end: bytes - 1 };
  }
  const start = Number(first);
  const end = Math.min(last === undefined ? Infinity : Number(last), bytes - 1);
  return start <= end ? { start, end } : null;
}
