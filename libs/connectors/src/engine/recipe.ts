import { hash } from 'node:crypto';
import type { Connector, SourceConfig } from '../kit/contracts';

/**
 * A digest of everything but the feed's bytes that decides what becomes of them. Credentials open the door and change
 * nothing behind it: they are left out.
 */
export function recipeOf(connector: Connector, source: SourceConfig): string {
  const settings = Object.entries(source.settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return digest(JSON.stringify([connector.code, connector.version, source.url, settings]));
}

/** 32 hexadecimal characters of SHA-256. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
