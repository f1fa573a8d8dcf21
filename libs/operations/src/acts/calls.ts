import { createHash } from 'node:crypto';
import type { Database } from '@passerelle/database';
import {
  type CallProof,
  generateCallSecret,
  generateCallToken,
  LEAST_CALL_SECRET_CHARACTERS,
  type SecretBox,
  visiblePrefix,
} from '@passerelle/domain';
import { BadValue } from '../adding/values';
import { Refused } from '../refused';
import type { ActedGateway, Actor } from './gateways';

type Parts = Pick<Database, 'callAddresses' | 'audit'>;
type CalledGateway = Pick<ActedGateway, 'id' | 'crm' | 'client'>;

/** An address at which a CRM calls, with its secret, both shown only once. */
export interface OpenedAddress {
  id: number;
  /** A path below the address of the API. */
  path: string;
  /** Absent when the path itself is the secret, or the operator has given the secret. */
  secret?: string;
}

export interface AddressWish {
  proof: CallProof;
  /** A secret that the CRM has generated; when it is absent, one is generated. */
  own?: string;
  /** How long the earlier addresses keep working. */
  overlapSeconds: number;
}

/**
 * Opens an address at which the CRM of a gateway calls.
 *
 * @param boxOf called when there is a secret to seal.
 * @throws BadValue when such calls cannot use the secret.
 */
export async function openCallAddress(
  { callAddresses, audit }: Parts,
  { name, through }: Actor,
  { id: gatewayId, crm, client }: CalledGateway,
  { proof, own, overlapSeconds }: AddressWish,
  boxOf: () => SecretBox | Promise<SecretBox>,
): Promise<OpenedAddress> {
  const secret = own === undefined ? generateCallSecret(proof) : checkedSecret(proof, own);
  const sealed = secret === null ? null : (await boxOf()).seal(secret);
  const token = generateCallToken();
  const prefix = visiblePrefix(token);
  const hash = createHash('sha256').update(token, 'utf8').digest();
  const id = await callAddresses.open(gatewayId, { hash, prefix, secret: sealed }, overlapSeconds);
  await audit.record([{ who: name, through, act: 'call-address open', crm, client, after: { id, prefix } }]);
  // An operator who has given the secret already knows it.
  return { id, path: `/in/${token}`, ...(own === undefined && secret !== null && { secret }) };
}

/** Closes an address. @throws Refused when the gateway has no such address. */
export async function closeCallAddress(
  { callAddresses, audit }: Parts,
  { name, through }: Actor,
  gateway: CalledGateway,
  address: number,
): Promise<void> {
  const { id, crm, client } = gateway;
  if (!(await callAddresses.close(id, address))) throw new Refused(`${crm}/${client} has no address ${address}`);
  await audit.record([{ who: name, through, act: 'call-address close', crm, client, before: { id: address } }]);
}

function checkedSecret({ kind }: CallProof, own: string): string {
  if (kind === 'path')
    throw new BadValue('--secret', 'is of no use: its CRM signs no calls, the address is the secret');
  if (own.length < LEAST_CALL_SECRET_CHARACTERS)
    throw new BadValue('--secret', `needs at least ${LEAST_CALL_SECRET_CHARACTERS} characters`);
  if (kind === 'basic' && !own.includes(':')) throw new BadValue('--secret', 'takes NAME:PASSWORD');
  return own;
}
