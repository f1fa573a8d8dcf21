import type { Connector, MappedListing } from '../../kit/contracts';

/**
 * Maps the published raw form of a record: the same words in the same structure, but without private data and without
 * the elements beside the records.
 *
 * @returns null when this is not enough for a listing.
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
    // The raw form lacks a part that the mapping needs, or differs in structure from the original record.
    return null;
  }
}
