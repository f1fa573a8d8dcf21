import type { Database } from '@passerelle/database';
import {
  type ChannelKind,
  generateWebhookSecret,
  isMailAddress,
  isQuietTime,
  INSTALLATION_EVENTS,
  type NotificationEvent,
  type SecretBox,
  toWebhookUrl,
} from '@passerelle/domain';
import { Refused } from '../refused';
import type { Actor } from './gateways';

type Repositories = Pick<Database, 'notificationChannels' | 'audit'>;

export interface WantedChannel {
  kind: ChannelKind;
  address: string;
  quiet: string | null;
}

/** The form in which an address is listed: a web address may contain a secret, so only its host is shown. */
function shownAddress(kind: ChannelKind, address: string): string {
  return kind === 'email' ? address : `${new URL(address).origin}/…`;
}

/**
 * @param allowPrivate hosts that may be addressed although they are private
 * @returns the secret that signs the messages of a `webhook`
 * @throws Refused for a wrong address or quiet time
 */
export async function addChannel(
  { notificationChannels, audit }: Repositories,
  { name, through }: Actor,
  { kind, address, quiet }: WantedChannel,
  box: SecretBox,
  allowPrivate: ReadonlySet<string>,
): Promise<{ id: number; shown: string; secret: string | null }> {
  if (kind === 'email' ? !isMailAddress(address) : toWebhookUrl(address, allowPrivate) === null)
    throw new Refused(
      kind === 'email'
        ? `"${address}" is not an e-mail address`
        : 'the address of such a channel is a public https address',
    );
  if (quiet !== null && !isQuietTime(quiet)) throw new Refused(`"${quiet}" is not two hours of the day, such as 22-07`);
  const secret = kind === 'webhook' ? generateWebhookSecret() : null;
  const shown = shownAddress(kind, address);
  const id = await notificationChannels.add({
    ...{ kind, shown, quiet, address: box.seal(address) },
    secret: secret === null ? null : box.seal(secret),
  });
  await audit.record([{ who: name, through, act: 'notify channel add', after: { channel: id, kind, address: shown } }]);
  return { id, shown, secret };
}

/** With its rules. @throws Refused for an unknown channel and for that of NOTIFY_EMAIL */
export async function removeChannel(
  { notificationChannels, audit }: Repositories,
  { name, through }: Actor,
  id: number,
): Promise<void> {
  const channel = (await notificationChannels.list()).find((one) => one.id === id);
  if (channel?.isOfSetting === true)
    throw new Refused('this channel belongs to the setting NOTIFY_EMAIL: change or remove the setting');
  if (channel === undefined || !(await notificationChannels.remove(id))) throw noChannel(id);
  const before = { channel: id, kind: channel.kind, address: channel.shown };
  await audit.record([{ who: name, through, act: 'notify channel remove', before }]);
}

/** @returns the delivery of the message. @throws Refused for an unknown channel */
export async function testChannel({ notificationChannels }: Repositories, id: number): Promise<number> {
  const delivery = await notificationChannels.test(id);
  if (delivery === null) throw noChannel(id);
  return delivery;
}

export interface WantedRule {
  channelId: number;
  event: NotificationEvent;
  crm: string | null;
  client: string | null;
  afterFailures: number;
  repeatSeconds: number | null;
}

/** @throws Refused for an unknown channel, and for a client without its CRM */
export async function addRule(
  { notificationChannels, audit }: Repositories,
  { name, through }: Actor,
  rule: WantedRule,
): Promise<number> {
  const { channelId, event, crm, client } = rule;
  if (client !== null && crm === null) throw new Refused('--client needs --crm');
  if (event === 'digest' && crm !== null) throw new Refused('a digest is about all gateways: leave out --crm');
  if (INSTALLATION_EVENTS.has(event) && crm !== null)
    throw new Refused(`${event} is about the installation: leave out --crm`);
  const id = await notificationChannels.addRule(rule);
  if (id === null) throw noChannel(channelId);
  const after = { rule: id, channel: channelId, event, after: rule.afterFailures };
  await audit.record([
    {
      who: name,
      through,
      act: 'notify rule add',
      ...(crm !== null && { crm }),
      ...(client !== null && { client }),
      after,
    },
  ]);
  return id;
}

/** @throws Refused for an unknown rule */
export async function removeRule(
  { notificationChannels, audit }: Repositories,
  { name, through }: Actor,
  id: number,
): Promise<void> {
  if (!(await notificationChannels.removeRule(id))) throw new Refused(`there is no rule ${id}`);
  await audit.record([{ who: name, through, act: 'notify rule remove', before: { rule: id } }]);
}

function noChannel(id: number): Refused {
  return new Refused(`there is no channel ${id}`);
}
