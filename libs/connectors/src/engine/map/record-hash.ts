import { hash } from 'node:crypto';
import { RULES_VERSION } from '@passerelle/domain';
import type { IHasher } from 'hash-wasm';
import type { Connector, SourceConfig } from '../../kit/contracts';
import { newFingerprint } from '../fingerprint';

let shared: Promise<IHasher> | undefined;

/** 32 hexadecimal characters of SHA-256. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/**
 * A hash of everything that decides a feed's listings, except the feed's bytes. It leaves out credentials, because a
 * new password changes no listing.
 */
export function mappingKeyOf(connector: Connector, source: SourceConfig, photosKey = ''): string {
  const settings = Object.entries(source.settings).sort(([a], [b]) => (a < b ? -1 : 1));
  const mayHaveFiles = photosKey !== '' && (connector.open.container !== 'plain' || connector.copiesPhotos === true);
  const parts = [
    connector.code,
    connector.version,
    RULES_VERSION,
    source.url,
    settings,
    ...(mayHaveFiles ? [photosKey] : []),
  ];
  return digest(JSON.stringify(parts));
}

/**
 * Hashes a record together with everything that its mapping reads, so that records with the same hash become the same
 * listing.
 */
export class RecordHasher {
  private readonly contexts = new Map<string, string>();
  /** The digest of the mapping key and the contexts. */
  private prefix!: Buffer;

  private constructor(
    private readonly mappingKey: string,
    /** Shared by all record hashers, because each hash ends before the next one begins. */
    private readonly hasher: IHasher,
  ) {
    this.refreshPrefix();
  }

  static async make(mappingKey: string): Promise<RecordHasher> {
    return new RecordHasher(mappingKey, await (shared ??= newFingerprint()));
  }

  /** Includes `value` in the hashes of the following records. */
  setContext(name: string, value: unknown): void {
    // JSON.stringify(undefined) is undefined.
    this.contexts.set(name, digest(JSON.stringify(value ?? null)));
    this.refreshPrefix();
  }

  /** Returns 32 hexadecimal characters. @param photoNames photos of the record whose names are not in the record */
  hashOf(record: Buffer, photoNames: readonly string[] = []): string {
    const own = this.hasher.init().update(this.prefix).update(record).digest();
    return photoNames.length === 0 ? own : digest(JSON.stringify([own, photoNames]));
  }

  private refreshPrefix(): void {
    const names = [...this.contexts.keys()].sort();
    const contexts = names.map((name) => [name, this.contexts.get(name)]);
    this.prefix = Buffer.from(digest(JSON.stringify([this.mappingKey, contexts])), 'latin1');
  }
}
