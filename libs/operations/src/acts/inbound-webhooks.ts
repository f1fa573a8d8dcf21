import { createHash } from 'node:crypto';
import type { Database } from '@passerelle/database';
import {
  type WebhookProof,
  generateInboundSecret,
  generateWebhookToken,
  MIN_WEBHOOK_SECRET_CHARACTERS,
  type SecretBox,
  visiblePrefix,
} from '@passerelle/domain';
import { BadValue } from '../adding/values';
import { Refused } from '../refused';
import type { ActedGateway, Actor } from './gateways';

type Repositories = Pick<Database, 'inboundWebhookUrls' | 'audit'>;
type NamedGateway = Pick<ActedGateway, 'id' | 'crm' | 'client'>;

/** An address for a CRM's webhooks, with its secret. Both are shown only once. */
export interface OpenedAddress {
  id: number;
  /** The path below the API's address. */
  path: string;
  /** Absent when the path itself is the secret, or the operator provided the secret. */
  secret?: string;
}

export interface AddressWish {
  proof: WebhookProof;
  /** A secret from the CRM; if absent, a new secret is generated. */
  own?: string;
  /** The previous addresses stay valid for this time. */
  overlapSeconds: number;
}

/** @param boxOf called when there is a secret to encrypt. @throws BadValue when the webhooks cannot use the secret. */
export async function openInboundWebhookUrl(
  { inboundWebhookUrls, audit }: Repositories,
  { name, through }: Actor,
  { id: gatewayId, crm, client }: NamedGateway,
  { proof, own, overlapSeconds }: AddressWish,
  boxOf: () => SecretBox | Promise<SecretBox>,
): Promise<OpenedAddress> {
  const secret = own === undefined ? generateInboundSecret(proof) : checkedSecret(proof, own);
  const sealed = secret === null ? null : (await boxOf()).seal(secret);
  const token = generateWebhookToken();
  const prefix = visiblePrefix(token);
  const hash = createHash('sha256').update(token, 'utf8').digest();
  const id = await inboundWebhookUrls.open(gatewayId, { hash, prefix, secret: sealed }, overlapSeconds);
  await audit.record([{ who: name, through, act: 'call-address open', crm, client, after: { id, prefix } }]);
  // An operator who provided the secret already knows it.
  return { id, path: `/in/${token}`, ...(own === undefined && secret !== null && { secret }) };
}

/** Closes an address. @throws Refused when the gateway has no such address. */
export async function closeInboundWebhookUrl(
  { inboundWebhookUrls, audit }: Repositories,
  { name, through }: Actor,
  gateway: NamedGateway,
  address: number,
): Promise<void> {
  const { id, crm, client } = gateway;
  if (!(await inboundWebhookUrls.close(id, address))) throw new Refused(`${crm}/${client} has no address ${address}`);
  await audit.record([{ who: name, through, act: 'call-address close', crm, client, before: { id: address } }]);
}

function checkedSecret({ kind }: WebhookProof, own: string): string {
  if (kind === 'path')
    throw new BadValue('--secret', 'is not needed: this CRM does not sign its calls, and the address is the secret');
  if (own.length < MIN_WEBHOOK_SECRET_CHARACTERS)
    throw new BadValue('--secret', `needs at least ${MIN_WEBHOOK_SECRET_CHARACTERS} characters`);
  if (kind === 'basic' && !own.includes(':')) throw new BadValue('--secret', 'takes NAME:PASSWORD');
  return own;
}
