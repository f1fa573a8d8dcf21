import type { Connector, MappedListing } from '../../kit/contracts';

/** Maps a published raw form (no private data, no elements beside the records); null when the mapping needs more. */
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
