import { hash } from 'node:crypto';
import { RULES_VERSION } from '@passerelle/domain';
import type { IHasher } from 'hash-wasm';
import type { Connector, SourceConfig } from '../../kit/contracts';
import { LEAD_SETTINGS } from '../../kit/lead';
import type { FeedMemory } from '../contracts';
import { newFingerprint } from '../fingerprint';

let shared: Promise<IHasher> | undefined;

/** 32 hexadecimal characters of SHA-256. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** The name of a mapping: the versions of the connector and of the legal rules. */
export function mappingOf({ version }: Pick<Connector, 'version'>): string {
  return `${version}.${RULES_VERSION}`;
}

/** Rows of listings store the hash of their record xor this mask, so that only their mapping knows the record again. */
export function maskOf(mapping: string): string {
  return digest(`mapping ${mapping}`);
}

/**
 * The masks of the stored hashes that this mapping knows. New rows get the first one. The others are of mappings whose
 * listings were the same when they were mapped again from their stored records.
 */
export function masksOf(connector: Pick<Connector, 'version'>, { mappedAs, hashedAs = [] }: FeedMemory): string[] {
  const mapping = mappingOf(connector);
  return [mapping, ...(mappedAs === mapping ? hashedAs : [])].map(maskOf);
}

/** The bitwise xor of two hashes. */
export function xorOf(one: string, other: string): string {
  return (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(16).padStart(one.length, '0');
}

/**
 * A hash of everything that decides a feed's listings, except the feed's bytes. It leaves out credentials, because a
 * new password changes no listing.
 */
export function mappingKeyOf(
  connector: Connector,
  source: SourceConfig,
  photosKey = '',
  mapping = mappingOf(connector),
): string {
  return keyOf(connector, source, photosKey, mapping.split('.').map(Number));
}

/** The same without the mapping: the hashes of records do not depend on it. */
export function recordKeyOf(connector: Connector, source: SourceConfig, photosKey = ''): string {
  return keyOf(connector, source, photosKey, []);
}

function keyOf(connector: Connector, source: SourceConfig, photosKey: string, mapping: readonly number[]): string {
  // An address to write to changes no listing either.
  const settings = Object.entries(source.settings)
    .filter(([name]) => !Object.hasOwn(LEAD_SETTINGS, name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const mayHaveFiles = photosKey !== '' && (connector.open.container !== 'plain' || connector.copiesPhotos === true);
  const parts = [connector.code, ...mapping, source.url, settings, ...(mayHaveFiles ? [photosKey] : [])];
  return digest(JSON.stringify(parts));
}

/**
 * Hashes a record together with everything that its mapping reads, so that one mapping makes the same listing of
 * records with the same hash.
 */
export class RecordHasher {
  /** The contexts that differ between documents, or parts, of a feed. */
  readonly differing = new Set<string>();
  private readonly contexts = new Map<string, string>();
  /** The digest of the record key and the contexts. */
  private prefix!: Buffer;

  private constructor(
    private readonly recordKey: string,
    /** Shared by all record hashers, because each hash ends before the next one begins. */
    private readonly hasher: IHasher,
  ) {
    this.refreshPrefix();
  }

  static async make(recordKey: string): Promise<RecordHasher> {
    return new RecordHasher(recordKey, await (shared ??= newFingerprint()));
  }

  /** Includes `value` in the hashes of the following records. */
  setContext(name: string, value: unknown): void {
    // JSON.stringify(undefined) is undefined.
    const found = digest(JSON.stringify(value ?? null));
    if ((this.contexts.get(name) ?? found) !== found) this.differing.add(name);
    this.contexts.set(name, found);
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
    this.prefix = Buffer.from(digest(JSON.stringify([this.recordKey, contexts])), 'latin1');
  }
}
