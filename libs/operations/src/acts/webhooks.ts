import type { Database } from '@passerelle/database';
import { generateWebhookSecret, maskUrl, MOST_WEBHOOKS, type SecretBox, type WebhookEvent } from '@passerelle/domain';
import { Refused } from '../refused';
import type { ActedGateway, Actor } from './gateways';

type Repositories = Pick<Database, 'webhookEndpoints' | 'webhookAdmin' | 'audit'>;
type NamedGateway = Pick<ActedGateway, 'id' | 'crm' | 'client'>;

export interface SecretOfWebhook {
  id: number;
  secret: string;
}

/** Replaces a webhook with the same address. @param url as checked by `toWebhookUrl`. @throws Refused at the limit. */
export async function addWebhook(
  { webhookEndpoints, audit }: Repositories,
  { name, through }: Actor,
  gateway: NamedGateway,
  { url, events }: { url: string; events: readonly WebhookEvent[] },
  box: SecretBox,
): Promise<SecretOfWebhook> {
  const { id: gatewayId, crm, client } = gateway;
  const secret = generateWebhookSecret();
  const added = await webhookEndpoints.add({ gatewayId, url, events, secret: box.seal(secret) });
  if (added === null) throw new Refused(`${crm}/${client} has ${MOST_WEBHOOKS} webhooks already, which is the maximum`);
  const after = { webhook: added.id, url: maskUrl(url) };
  await audit.record([{ who: name, through, act: 'webhook add', crm, client, after }]);
  return { id: added.id, secret };
}

/** Removes a webhook immediately. @throws Refused when the gateway does not have this webhook. */
export async function removeWebhook(
  { webhookEndpoints, audit }: Repositories,
  { name, through }: Actor,
  gateway: NamedGateway,
  webhook: number,
): Promise<void> {
  const { crm, client } = gateway;
  if (!(await webhookEndpoints.remove(gateway.id, webhook))) throw noWebhook(gateway, webhook);
  await audit.record([{ who: name, through, act: 'webhook remove', crm, client, before: { webhook } }]);
}

/** For some seconds, messages have signatures of both secrets. @throws Refused for an unknown webhook. */
export async function rotateWebhook(
  { webhookAdmin, audit }: Repositories,
  { name, through }: Actor,
  gateway: NamedGateway,
  { webhook, overlapSeconds }: { webhook: number; overlapSeconds: number },
  box: SecretBox,
): Promise<SecretOfWebhook> {
  const { crm, client } = gateway;
  const secret = generateWebhookSecret();
  if (!(await webhookAdmin.rotate(gateway.id, webhook, box.seal(secret), overlapSeconds))) {
    throw noWebhook(gateway, webhook);
  }
  const after = { webhook, overlap_seconds: overlapSeconds };
  await audit.record([{ who: name, through, act: 'webhook rotate', crm, client, after }]);
  return { id: webhook, secret };
}

/** Sends a test message. @returns its delivery. @throws Refused when the gateway does not have this webhook. */
export async function testWebhook(
  { webhookAdmin }: Pick<Repositories, 'webhookAdmin'>,
  gateway: NamedGateway,
  webhook: number,
): Promise<number> {
  const delivery = await webhookAdmin.test(gateway.id, webhook);
  if (delivery === null) throw noWebhook(gateway, webhook);
  return delivery;
}

/** Sends a message again under its id. @returns the new delivery. @throws Refused when the message does not exist. */
export async function replayMessage(
  { webhookAdmin }: Pick<Repositories, 'webhookAdmin'>,
  { id, crm, client }: NamedGateway,
  delivery: number,
): Promise<number> {
  const again = await webhookAdmin.replay(id, delivery);
  if (again === null) throw new Refused(`${crm}/${client} has no message ${delivery}: they are kept for 30 days`);
  return again;
}

function noWebhook({ crm, client }: NamedGateway, id: number): Refused {
  return new Refused(`${crm}/${client} has no webhook ${id}`);
}
