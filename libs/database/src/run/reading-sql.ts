/**
 * SQL: whether a run read its feed to the end. A run that found the feed unchanged without reading a record says nothing
 * about rejections, so the rejections of the run before it still hold. Equals the condition of the index `run_reading`.
 */
export function isReading(run: string): string {
  return `${run}.state IN ('published', 'unchanged', 'held') AND NOT ${run}.dry_run
    AND (${run}.records > 0 OR ${run}.state <> 'unchanged')`;
}
