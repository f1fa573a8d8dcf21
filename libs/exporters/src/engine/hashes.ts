import { createHash } from 'node:crypto';
import type { ExportContext, Target } from '../kit/contracts';

/** 32 hex digits of SHA-256 over texts. */
export function hashOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}:`).update(text);
  return hash.digest('hex').slice(0, 32);
}

/** Changes when adverts of equal listings may change: with the mapping and with the terms of the placement. */
export function configHashOf(target: Target, { placement }: ExportContext, terms: object): string {
  const { settings, contact, language } = placement;
  return hashOf(
    target.code,
    String(target.version),
    JSON.stringify([sorted(settings), sorted(contact), language, terms]),
  );
}

function sorted(values: object): [string, unknown][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
