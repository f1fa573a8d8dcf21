import { Refused } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { sentenceOf } from '../errors';
import { counted } from '../render/figures';
import { addCommand } from './command';

interface Rekeyed {
  /** Gateways whose source is sealed with SECRETS_KEY now. */
  sealed: number;
  /** How many secrets of webhooks are sealed with SECRETS_KEY now, and how many cannot be opened with any key. */
  webhooks: { sealed: number; unreadable: number };
  /** Sealed and unreadable URLs of inbound webhooks. */
  calls: { sealed: number; unreadable: number };
  /** The same for leads. */
  leads: { sealed: number; unreadable: number };
  /** The same for channels of notifications. */
  channels: { sealed: number; unreadable: number };
  /** The same for credentials of placements. */
  placements: { sealed: number; unreadable: number };
  /** Unchanged gateways, because no key opens their source. */
  unreadable: { crm: string; client: string; error: string }[];
  /** How many API keys SECRETS_KEY hashes now, and which keys it will hash at their next use. */
  keys: { current: number; waiting: WaitingKey[] };
}

interface WaitingKey {
  crm: string;
  client: string;
  prefix: string;
  /** A day in UTC, `YYYY-MM-DD`; null for a key that was never used. */
  last_used_on: string | null;
}

const SHOWN = 10;

export function addRekey(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'rekey',
    'Seals every source with SECRETS_KEY, and makes it the key of the database; SECRETS_KEY_OLD opens older secrets. Run it ' +
      'after every process is upgraded and has both keys: afterwards, a process with only the previous key does not start.',
    'rekey',
  )
    .option(
      '--accept-loss',
      'continue although the key of this database is lost: secrets that it sealed stay unreadable',
    )
    .action(async ({ acceptLoss = false }: { acceptLoss?: boolean }) => {
      const [check, box] = [await context.secretsKeyCheck(), await context.uncheckedSecretBox()];
      if (check === null || box === null) throw new Refused('rekey needs SECRETS_KEY, the same as the ingestor has');
      const fault = await check.fault();
      if (fault !== null && !acceptLoss) throw new Refused(`${fault}; if that key is lost: rekey --accept-loss`);
      const hashes = await context.uncheckedKeyHashes();
      const { gateways, storedKeys, webhookAdmin, inboundWebhookUrls, outbox, notificationChannels, placements } =
        await context.openDatabase();
      const rekeyed: Rekeyed = {
        ...{ sealed: 0, unreadable: [], webhooks: await webhookAdmin.reseal(box) },
        calls: await inboundWebhookUrls.reseal(box),
        leads: await outbox.reseal(box),
        channels: await notificationChannels.reseal(box),
        placements: await placements.reseal(box),
        keys: { current: 0, waiting: [] },
      };
      for (const { id, crm, client } of await gateways.list()) {
        try {
          await gateways.reseal(id, box);
          rekeyed.sealed += 1;
        } catch (error) {
          rekeyed.unreadable.push({ crm, client, error: sentenceOf(error) });
        }
      }
      await storedKeys.forgetFormerHashes();
      await check.replace();
      const { sealed, unreadable } = rekeyed;
      await context.record({ act: 'rekey', after: { sealed, unreadable: unreadable.length } });
      const counts = await storedKeys.countBySecret();
      rekeyed.keys = {
        current: counts.find((secret) => hashes.isCurrent(secret))?.count ?? 0,
        waiting: (await storedKeys.listOthers(hashes.make('').keyId)).map(({ lastUsedOn, ...key }) => ({
          ...key,
          last_used_on: lastUsedOn,
        })),
      };
      const names = rekeyed.unreadable.map(({ crm, client }) => `${crm}/${client}`).join(', ');
      const lost = [
        ...(names === '' ? [] : [`no key opens the source of ${names}: enter it again with "gateway set"`]),
        ...(rekeyed.webhooks.unreadable === 0
          ? []
          : [`no key opens the secrets of ${counted(rekeyed.webhooks.unreadable, 'webhook')}: rotate them`]),
        ...(rekeyed.leads.unreadable === 0 ? [] : [`no key opens ${counted(rekeyed.leads.unreadable, 'lead')}`]),
      ];
      if (rekeyed.channels.unreadable > 0)
        lost.push(`no key opens the addresses of ${counted(rekeyed.channels.unreadable, 'channel')}: add them again`);
      if (rekeyed.calls.unreadable > 0)
        lost.push(`no key opens the secrets of ${counted(rekeyed.calls.unreadable, 'call address')}: open new ones`);
      const failure = lost.length === 0 ? undefined : lost.join('; ');
      context.answer({
        json: { ...rekeyed, ...(failure !== undefined && { error: failure }) },
        text: () => describe(rekeyed),
        failure,
      });
    });
}

function describe({ sealed, keys: { current, waiting } }: Rekeyed): string {
  const sources = `${counted(sealed, 'source')} sealed with SECRETS_KEY`;
  if (waiting.length === 0)
    return `${sources}; every key (${current}) is hashed with it: SECRETS_KEY_OLD can be removed`;
  const lines = waiting
    .slice(0, SHOWN)
    .map(({ crm, client, prefix, last_used_on: day }) => `  ${crm}/${client}  ${prefix}…  ${day ?? 'never used'}`);
  const rest = waiting.length - lines.length;
  return [
    `${sources}; ${counted(current, 'key')} hashed with it. The following keys are hashed at their next use; keep SECRETS_KEY_OLD until then:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more, which --json lists`] : []),
  ].join('\n');
}
