import type { NotificationChannel, StoredRule } from '@passerelle/database';
import { CHANNEL_KINDS, DEFAULT_REPEAT_SECONDS, NOTIFICATION_EVENTS } from '@passerelle/domain';
import { addChannel, addRule, parseDuration, removeChannel, removeRule, testChannel } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { parseWholeNumber, parseWord } from '../options/values';
import { renderTable } from '../render/table';
import { sourcePolicyOf } from '../running-instance';
import { addCommand } from './command';
import { answerWithOutcome } from './webhook';

const NEEDS_KEY = 'the address of a channel';
const MOST_FAILURES = 100;

export function addNotifyChannelAdd(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'add',
    'Adds a channel to which notifications are sent. For a webhook it prints the secret, shown only once.',
    'notify channel add --kind email --to ops@agence.example',
  )
    .requiredOption('--kind <kind>', `how it is addressed: ${CHANNEL_KINDS.join(', ')}`)
    .requiredOption('--to <address>', 'the e-mail address, or the https address that Slack or Teams gives you')
    .option('--quiet <hours>', 'hours of the day in Europe/Paris in which nothing is sent, such as 22-07')
    .action(async ({ kind: word, to, quiet }: { kind: string; to: string; quiet?: string }) => {
      const kind = parseWord('--kind', word, CHANNEL_KINDS);
      const box = await context.requireSecretBox(NEEDS_KEY);
      const [database, actor] = [await context.openDatabase(), await context.actor()];
      const allowPrivate = new Set(sourcePolicyOf(context.env).allowPrivate);
      const wanted = { kind, address: to, quiet: quiet ?? null };
      const { id, shown, secret } = await addChannel(database, actor, wanted, box, allowPrivate);
      context.answer({
        json: { id, kind, to: shown, quiet: quiet ?? null, ...(secret !== null && { secret }) },
        text: () =>
          `channel ${id}: ${shown}${secret === null ? '' : `; its secret, shown only once\n${secret}`}\n` +
          `It has no rule yet: npm run ops -- notify rule add --channel ${id} --event failing`,
      });
    });
}

export function addNotifyChannelList(parent: Command, context: CommandContext): void {
  addCommand(parent, 'list', 'Lists the channels.', 'notify channel list').action(async () => {
    const channels = await (await context.openDatabase()).notificationChannels.list();
    context.answer({
      json: channels.map(channelView),
      text: (options) =>
        renderTable(
          options,
          [
            { title: 'id', value: ({ id }: NotificationChannel) => id, align: 'right' },
            { title: 'kind', value: ({ kind }) => kind },
            { title: 'address', value: ({ shown }) => shown },
            { title: 'quiet', value: ({ quiet }) => quiet },
            { title: 'from', value: ({ isOfSetting }) => (isOfSetting ? 'NOTIFY_EMAIL' : null) },
          ],
          channels,
          'no channel',
        ),
    });
  });
}

export function addNotifyChannelRemove(parent: Command, context: CommandContext): void {
  addCommand(parent, 'remove <id>', 'Removes a channel with its rules.', 'notify channel remove 3').action(
    async (idText: string) => {
      const id = parseWholeNumber('ID', idText);
      await removeChannel(await context.openDatabase(), await context.actor(), id);
      context.answer({ json: { removed: id }, text: () => `channel ${id} is removed` });
    },
  );
}

export function addNotifyChannelTest(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'test <id>',
    'Sends a test message to a channel, and waits for the result.',
    'notify channel test 3',
  ).action(async (idText: string) => {
    const delivery = await testChannel(await context.openDatabase(), parseWholeNumber('ID', idText));
    await answerWithOutcome(context, delivery);
  });
}

interface RuleOptions {
  channel: string;
  event: string[];
  crm?: string;
  client?: string;
  after?: string;
  repeat?: string;
}

export function addNotifyRuleAdd(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'add',
    'Adds rules for what is sent to a channel, one for each event.',
    'notify rule add --channel 3 --event failing --crm kyero --after 3',
  )
    .requiredOption('--channel <id>', 'the channel')
    .requiredOption('--event <event...>', `what is reported: ${NOTIFICATION_EVENTS.join(', ')}`)
    .option('--crm <code>', 'only gateways of this connector')
    .option('--client <slug>', 'only the gateway of this client; needs --crm')
    .option('--after <failures>', 'reports a failing gateway after so many failures in succession (default: 1)')
    .option('--repeat <duration>', 'reports it again while it lasts: 6h, or 0s for never (default: 6h)')
    .action(async ({ channel, event, crm, client, after, repeat }: RuleOptions) => {
      const channelId = parseWholeNumber('--channel', channel);
      const events = event.map((word) => parseWord('--event', word, NOTIFICATION_EVENTS));
      const afterFailures = after === undefined ? 1 : Math.max(1, parseWholeNumber('--after', after, MOST_FAILURES));
      const seconds = repeat === undefined ? DEFAULT_REPEAT_SECONDS : parseDuration('--repeat', repeat, 0);
      const repeatSeconds = seconds === 0 ? null : seconds;
      const [database, actor] = [await context.openDatabase(), await context.actor()];
      const about = { crm: crm ?? null, client: client ?? null };
      const ids: number[] = [];
      for (const one of events)
        ids.push(await addRule(database, actor, { channelId, event: one, ...about, afterFailures, repeatSeconds }));
      context.answer({
        json: { channel: channelId, rules: ids },
        text: () => `channel ${channelId}: ${ids.length === 1 ? `rule ${ids.join()}` : `rules ${ids.join(', ')}`}`,
      });
    });
}

export function addNotifyRuleList(parent: Command, context: CommandContext): void {
  addCommand(parent, 'list', 'Lists the rules of all channels.', 'notify rule list').action(async () => {
    const rules = await (await context.openDatabase()).notificationChannels.rules();
    context.answer({
      json: rules.map(ruleView),
      text: (options) =>
        renderTable(
          options,
          [
            { title: 'id', value: ({ id }: StoredRule) => id, align: 'right' },
            { title: 'channel', value: ({ channelId }) => channelId, align: 'right' },
            { title: 'event', value: ({ event }) => event },
            { title: 'gateways', value: ({ crm, client }) => [crm ?? 'all', client].filter(Boolean).join('/') },
            { title: 'after', value: ({ afterFailures }) => afterFailures, align: 'right' },
            {
              title: 'again',
              value: ({ repeatSeconds }) => (repeatSeconds === null ? null : `${repeatSeconds / 3600} h`),
            },
          ],
          rules,
          'no rule',
        ),
    });
  });
}

export function addNotifyRuleRemove(parent: Command, context: CommandContext): void {
  addCommand(parent, 'remove <id>', 'Removes a rule.', 'notify rule remove 5').action(async (idText: string) => {
    const id = parseWholeNumber('ID', idText);
    await removeRule(await context.openDatabase(), await context.actor(), id);
    context.answer({ json: { removed: id }, text: () => `rule ${id} is removed` });
  });
}

function channelView({ id, kind, shown, quiet, isOfSetting, createdAt }: NotificationChannel): object {
  return { id, kind, to: shown, quiet, of_setting: isOfSetting, created_at: createdAt };
}

function ruleView({ id, channelId, event, crm, client, afterFailures, repeatSeconds }: StoredRule): object {
  return { id, channel: channelId, event, crm, client, after: afterFailures, repeat_seconds: repeatSeconds };
}
