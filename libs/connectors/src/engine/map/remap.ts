import type { Connector, MappedListing } from '../../kit/contracts';

/**
 * Maps what `format=raw` shows of a record: the same words in the same places, without what is private and without what
 * stood beside the records.
 *
 * @returns null where that is not enough for a listing.
 */
export function remap(
  connector: Pick<Connector, 'code' | 'map'>,
  settings: Readonly<Record<string, string>>,
  raw: Readonly<Record<string, unknown>>,
): MappedListing | null {
  try {
    const mapped = connector.map(raw, { crm: connector.code, settings, feed: {}, warn: () => undefined });
    return mapped.kind === 'listing' ? mapped.listing : null;
  } catch {
    // A record that lacks a part, or that has another shape than what leaves of it.
    return null;
  }
}
