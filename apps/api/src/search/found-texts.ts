import type { NamedSnapshot, ServedListings } from '@passerelle/database';
import { LRUCache } from 'lru-cache';
import type { GatewayChanges } from '../access/gateway-changes';
import type { SearchQuery } from './search-query';

/** The memory of an entry besides its bytes: name, buffer and cache entry. Measured. */
const BYTES_BESIDE = 500;

/** The form of the texts. */
type Format = SearchQuery['format'];

/** A cache limited by size. A version's text never changes, and visitors find the same few hundred texts repeatedly. */
export class FoundTexts {
  private readonly texts: LRUCache<string, Buffer>;

  constructor(
    private readonly listings: Pick<ServedListings, 'textsOfVersions'>,
    private readonly changes: Pick<GatewayChanges, 'listenerReconnects'>,
    maxBytes: number,
  ) {
    this.texts = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + BYTES_BESIDE });
  }

  /** Returns texts in the order of `versionIds`, and reads missing texts. @throws Error when a text was pruned */
  async load(snapshot: NamedSnapshot, versionIds: readonly number[], format: Format): Promise<Buffer[]> {
    const { listenerReconnects } = this.changes;
    const nameOf = (id: number): string => `${listenerReconnects}/${snapshot.gatewayId}/${format}/${id}`;
    const texts = new Map<number, Buffer>();
    for (const id of versionIds) {
      const text = this.texts.get(nameOf(id));
      if (text !== undefined) texts.set(id, text);
    }
    const missing = versionIds.filter((id) => !texts.has(id));
    const read = missing.length === 0 ? [] : await this.listings.textsOfVersions(snapshot, missing, format);
    for (const [at, text] of read.entries()) {
      texts.set(missing[at]!, text);
      this.texts.set(nameOf(missing[at]!), text);
    }
    return versionIds.map((id) => texts.get(id)!);
  }
}
