import type { Database } from '@passerelle/database';
import {
  ALL_TERMS,
  generateExportToken,
  type KeyHashes,
  type KeyScope,
  type KeyTerms,
  visiblePrefix,
} from '@passerelle/domain';
import { Refused } from '../refused';
import { type ActedGateway, actedBy, type Actor } from './gateways';

type NamedGateway = Pick<ActedGateway, 'id' | 'crm' | 'client'>;

/** The parts of a key that decide about the terms of a new one. */
type LiveKey = KeyTerms & { expiresAt: string | null };

export interface KeyWish {
  /** Stored only as a hash; the caller shows it once. */
  key: string;
  /** How long the older keys keep working. */
  overlapSeconds: number;
  /** Terms that differ from the newest key's. */
  terms: Partial<KeyTerms>;
}

/**
 * Adds a key and ends the older keys that it replaces.
 * @param keys of the gateway, oldest first
 * @throws Refused when they have different scopes and the wish names none
 */
export async function rotateKey(
  { gateways, audit }: Pick<Database, 'gateways' | 'audit'>,
  actor: Actor,
  { id, crm, client, keys }: NamedGateway & { keys: readonly LiveKey[] },
  { key, overlapSeconds, terms: wished }: KeyWish,
  hashes: Pick<KeyHashes, 'make'>,
  now: Date,
): Promise<void> {
  const terms = { ...termsOf(keys, wished.scope, now), ...wished };
  const stored = { ...hashes.make(key), ...terms, prefix: visiblePrefix(key) };
  await gateways.rotateKey(id, stored, overlapSeconds);
  const after = { prefix: stored.prefix, scope: terms.scope, overlap_seconds: overlapSeconds };
  await audit.record([{ ...actedBy(actor), act: 'gateway rotate-key', crm, client, after }]);
}

/** The scope and networks of the newest key, so that the new key has the same limits. */
function termsOf(keys: readonly LiveKey[], scope: KeyScope | undefined, now: Date): KeyTerms {
  const live = keys.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
  const wanted = scope ?? live.at(-1)?.scope;
  if (scope === undefined && live.some((key) => key.scope !== wanted)) {
    throw new Refused('its keys have different scopes: name the scope of the new key with --scope');
  }
  const last = live.filter((key) => key.scope === wanted).at(-1);
  return last === undefined ? ALL_TERMS : { scope: last.scope, networks: last.networks };
}

/** Ends a key immediately. @throws Refused when the gateway has no such key, or it has ended */
export async function revokeKey(
  { gateways, audit }: Pick<Database, 'gateways' | 'audit'>,
  actor: Actor,
  { id, crm, client }: NamedGateway,
  { keyId, prefix }: { keyId: number; prefix?: string },
): Promise<void> {
  if (!(await gateways.revokeKey(id, keyId))) throw new Refused(`${crm}/${client} has no key ${keyId} that works`);
  const before = { id: keyId, ...(prefix !== undefined && { prefix }) };
  await audit.record([{ ...actedBy(actor), act: 'gateway revoke-key', crm, client, before }]);
}

/** @returns the token, which is stored only as a hash */
export async function makeExportToken(
  { exportTokens, audit }: Pick<Database, 'exportTokens' | 'audit'>,
  actor: Actor,
  { id, crm, client }: NamedGateway,
  hashes: Pick<KeyHashes, 'make'>,
): Promise<string> {
  const token = generateExportToken();
  const prefix = visiblePrefix(token);
  await exportTokens.add(id, { ...hashes.make(token), prefix });
  await audit.record([{ ...actedBy(actor), act: 'gateway export-token make', crm, client, after: { prefix } }]);
  return token;
}

/** Ends a token immediately. @throws Refused when the gateway has no such token */
export async function revokeExportToken(
  { exportTokens, audit }: Pick<Database, 'exportTokens' | 'audit'>,
  actor: Actor,
  { id, crm, client }: NamedGateway,
  tokenId: number,
): Promise<void> {
  if (!(await exportTokens.revoke(id, tokenId))) throw new Refused(`${crm}/${client} has no export token ${tokenId}`);
  await audit.record([{ ...actedBy(actor), act: 'gateway export-token revoke', crm, client, before: { id: tokenId } }]);
}
