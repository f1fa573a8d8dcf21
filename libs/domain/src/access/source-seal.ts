import { isUrl, maskUrl } from '../text/url';
import type { SecretBox } from './secret-box';

export interface Source {
  url: string;
  settings: Record<string, string>;
}

export interface StoredSource {
  /** Masked when `sealedSource` is set; else the full address. */
  sourceUrl: string;
  /** Settings that are addresses are masked when `sealedSource` is set. */
  settings: Record<string, string>;
  /** Sealed JSON of the address and of the settings that are addresses; null in rows of earlier releases. */
  sealedSource: Buffer | null;
}

/** A sealed source cannot be read or changed without its SECRETS_KEY. */
export class SourceSealed extends Error {
  override readonly name = 'SourceSealed';
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Seals the addresses of a source, and masks the readable copies. Without a box everything stays readable. */
export function storeSource({ url, settings }: Source, box: SecretBox | null): StoredSource {
  if (box === null) return { sourceUrl: url, settings, sealedSource: null };
  const addresses = Object.entries(settings).filter(([, value]) => isAddress(value));
  const sealedSource = box.seal(JSON.stringify({ url, settings: Object.fromEntries(addresses) }));
  return { sourceUrl: maskUrl(url), settings: maskSettings(settings), sealedSource };
}

/** @throws SourceSealed without a box; Error when the box has another key. */
export function openSource({ sourceUrl, settings, sealedSource }: StoredSource, box: SecretBox | null): Source {
  if (sealedSource === null) return { url: sourceUrl, settings };
  if (box === null)
    throw new SourceSealed('the address of the source is sealed, and there is no SECRETS_KEY to read it');
  const sealed = JSON.parse(box.open(sealedSource)) as Source;
  return { url: sealed.url, settings: { ...settings, ...sealed.settings } };
}

/** Null when there are no credentials. */
export function sealCredentials(credentials: Readonly<Record<string, string>>, box: SecretBox): Buffer | null {
  return Object.keys(credentials).length === 0 ? null : box.seal(JSON.stringify(credentials));
}

export function maskSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, isAddress(value) ? maskUrl(value) : value]),
  );
}

function isAddress(value: string): boolean {
  return ADDRESS.test(value) && isUrl(value);
}
