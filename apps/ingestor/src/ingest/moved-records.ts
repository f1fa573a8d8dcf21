/**
 * Why a walk page by page cannot be trusted about what is gone; null when it can. When a record moves between two pages
 * on the way, one comes twice and another not at all, while their number is the declared one. A source that gives the
 * same record twice run after run has only that habit.
 *
 * @param twice ids of records that had come before in the same walk
 * @param habitual ids that came twice in an earlier run
 * @param removed listings that would vanish
 */
export function movedRecords(twice: ReadonlySet<string>, habitual: readonly string[], removed: number): string | null {
  if (twice.size === 0 || removed === 0 || habitual.some((id) => twice.has(id))) return null;
  return `records came twice (${twice.size}) and listings are missing (${removed}): the source changed between two pages`;
}
