import type { IdxRow } from '../../formats/idx-rows';
import { plainLine } from '../../kit/clean/plain-text';

/** Cell 68 in one spelling. */
export function agencyOf(row: IdxRow): string | undefined {
  return plainLine(row[68] ?? '')?.toUpperCase();
}

/**
 * The three references of property, house and object, which the agency's software gives: `4711.01.0003`. They are what
 * portals display.
 */
export function referenceOf(row: IdxRow): string | undefined {
  const references = [row[5], row[6], row[7]].map((reference) => plainLine(reference ?? '') ?? '');
  // An empty one in the middle keeps its place, so that two objects never share a reference.
  return references.join('.').replace(/^\.+|\.+$/g, '') || undefined;
}

/**
 * The references are the agency's own and stay; the advertisement id (cell 178) is given by a portal, sometimes later,
 * and stands in only where there is no reference. The agency comes first, as one file may hold several.
 */
export function affIdOf(row: IdxRow): string | undefined {
  const agency = agencyOf(row);
  const own = referenceOf(row) ?? plainLine(row[178] ?? '');
  if (own === undefined) return undefined;
  return agency === undefined ? own : `${agency}-${own}`;
}
