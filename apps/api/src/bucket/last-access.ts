import type { KeptGateway } from '@passerelle/bucket';
import type { ServedGateway } from '@passerelle/database';

/** Who may read a gateway, as the database said last. */
export interface LastAccess {
  /** By the database's clock; `Infinity` where the gateway was gone. */
  readAtMs: number;
  enabled: boolean;
  contractEnd: string | null;
  keys: readonly { id: number; expiresAtMs: number | null }[];
}

type KeptAccess = Pick<KeptGateway, 'enabled' | 'contractEnd' | 'keys'>;

/** Of a gateway that was removed: nothing that is said of it later can be newer. */
export const NOBODY: LastAccess = { readAtMs: Infinity, enabled: false, contractEnd: null, keys: [] };

export function accessOf({ databaseMs, enabled, contractEnd, keys }: ServedGateway): LastAccess {
  return {
    ...{ readAtMs: databaseMs, enabled, contractEnd },
    keys: keys.map(({ id, expiresAtMs }) => ({ id, expiresAtMs })),
  };
}

/**
 * Who may read while the database is away: as the bucket says, where that was written behind the database's last word. Else
 * only who may by both: the bucket may know of no revocation, and which of them a clock that was set back makes the newer one
 * cannot be told. A key that is younger than both is refused until the database answers.
 */
export function accessByBoth(kept: KeptGateway, last: LastAccess | null): KeptAccess {
  if (last === null || kept.generation > last.readAtMs) return kept;
  const ends = new Map(last.keys.map(({ id, expiresAtMs }) => [id, expiresAtMs]));
  return {
    enabled: kept.enabled && last.enabled,
    contractEnd: earliest([kept.contractEnd, last.contractEnd]),
    keys: kept.keys
      .filter(({ id }) => ends.has(id))
      .map((key) => ({ ...key, expiresAtMs: earliest([key.expiresAtMs, ends.get(key.id) ?? null]) })),
  };
}

/** Null is no end. */
function earliest<T extends string | number>(ends: readonly (T | null)[]): T | null {
  return ends.filter((end) => end !== null).sort((a, b) => (a < b ? -1 : 1))[0] ?? null;
}
