/**
 * The milliseconds of a date of the model. A time without a zone counts as UTC: `Date.parse` would read it in the zone
 * of the process, and the same listing would give different bytes on two machines.
 */
export function momentMs(date = ''): number | undefined {
  const ms = Date.parse(/T[\d:.]+$/.test(date) ? `${date}Z` : date);
  return Number.isNaN(ms) ? undefined : ms;
}
