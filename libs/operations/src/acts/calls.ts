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

/** An address at which a CRM calls, with what is shown of it this once. */
export interface OpenedAddress {
  id: number;
  /** Behind the address of the API. */
  path: string;
  /** Absent where the path is the proof, or whoever opened it has given the secret. */
  secret?: string;
}

export interface AddressWish {
  proof: CallProof;
  /** A secret that the CRM has made; one is made where it is absent. */
  own?: string;
  /** For so long the addresses of before work on. */
  overlapSeconds: number;
}

/**
 * Opens an address at which the CRM of a gateway calls.
 *
 * @param boxOf asked for where there is a secret to seal.
 * @throws BadValue when the secret is none for such calls.
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
  // Who has given the secret need not be told it.
  return { id, path: `/in/${token}`, ...(own === undefined && secret !== null && { secret }) };
}

/** Ends an address. @throws Refused when the gateway has no such one. */
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
    throw new BadValue('--secret', `takes at least ${LEAST_CALL_SECRET_CHARACTERS} characters`);
  if (kind === 'basic' && !own.includes(':')) throw new BadValue('--secret', 'takes NAME:PASSWORD');
  return own;
}
