/**
 * Why a walk page by page cannot be trusted about what is gone; null when it can. When a record moves between two pages
 * on the way, one comes twice and another not at all, while their number is the declared one.
 *
 * @param twice records whose identifier had come before in the same walk
 * @param removed listings that would vanish
 */
export function movedRecords(twice: number, removed: number): string | null {
  if (twice === 0 || removed === 0) return null;
  return `records came twice (${twice}) and listings are missing (${removed}): the source changed between two pages`;
}
