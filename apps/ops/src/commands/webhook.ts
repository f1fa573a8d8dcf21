import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedDelivery, WebhookEndpoint } from '@passerelle/database';
import { LIST_EVENTS, toWebhookUrl, WEBHOOK_EVENTS, WEBHOOK_URL_IN_WORDS } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import {
  addWebhook,
  parseDuration,
  Refused,
  removeWebhook,
  replayMessage,
  rotateWebhook,
  testWebhook,
} from '@passerelle/operations';
import { UsageError } from '../errors';
import { parseWholeNumber, parseWord } from '../options/values';
import { renderDeliveries, renderWebhooks } from '../render/webhooks';
import { sourcePolicyOf } from '../running-instance';
import { addGatewayCommand, type GatewayName } from './command';

const EXAMPLE = '--crm kyero --client agence-du-port';
const NEEDS_KEY = "a webhook's secret";
const SHOWN_DELIVERIES = 20;
/** The request takes up to 15 s; the rest is for an ingestor to start it. */
const TEST_MS = 25_000;
const LOOK_MS = 250;

export function addWebhookAdd(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'add',
    'Adds a webhook and prints its secret, shown only once. It replaces one with the same address.',
    `webhook add ${EXAMPLE} --url https://agence.example/hook`,
  )
    .requiredOption('--url <address>', 'the address that receives messages: https, and public')
    .option(
      '--event <type...>',
      `the events that it receives: ${WEBHOOK_EVENTS.join(', ')} (default: those of the list and its feed)`,
    )
    .action(async ({ crm, client, url: text, event }: GatewayName & { url: string; event?: string[] }) => {
      const url = toWebhookUrl(text, new Set(sourcePolicyOf(context.env).allowPrivate));
      if (url === null) throw new UsageError(`--url takes ${WEBHOOK_URL_IN_WORDS}`);
      const events = event?.map((word) => parseWord('--event', word, WEBHOOK_EVENTS)) ?? LIST_EVENTS;
      const box = await context.requireSecretBox(NEEDS_KEY);
      const gateway = await context.gateway(crm, client);
      const [database, actor] = [await context.openDatabase(), await context.actor()];
      const { id, secret } = await addWebhook(database, actor, gateway, { url, events }, box);
      context.answer({
        json: { crm, client, id, url, events, secret },
        text: () => `${crm}/${client}: webhook ${id}; its secret, shown only once\n${secret}`,
      });
    });
}

export function addWebhookList(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'list',
    'Lists the webhooks of a gateway, and the messages sent to them.',
    `webhook list ${EXAMPLE}`,
  )
    .option('--limit <count>', `how many of the newest messages to show (default: ${SHOWN_DELIVERIES})`)
    .action(async ({ crm, client, limit }: GatewayName & { limit?: string }) => {
      const { id } = await context.gateway(crm, client);
      const { webhookEndpoints, outboxLog } = await context.openDatabase();
      const endpoints = await webhookEndpoints.list(id);
      const most = limit === undefined ? SHOWN_DELIVERIES : parseWholeNumber('--limit', limit, 1_000);
      const deliveries = await outboxLog.ofGateway(id, most);
      context.answer({
        json: { webhooks: endpoints.map(endpointView), deliveries: deliveries.map(deliveryView) },
        text: (options) => `${renderWebhooks(options, endpoints)}\n\n${renderDeliveries(options, deliveries)}`,
      });
    });
}

export function addWebhookRemove(parent: Command, context: CommandContext): void {
  addGatewayCommand(parent, 'remove <id>', 'Ends a webhook immediately.', `webhook remove 3 ${EXAMPLE}`).action(
    async (idText: string, { crm, client }: GatewayName) => {
      const endpointId = parseWholeNumber('ID', idText);
      const gateway = await context.gateway(crm, client);
      await removeWebhook(await context.openDatabase(), await context.actor(), gateway, endpointId);
      context.answer({
        json: { crm, client, removed: endpointId },
        text: () => `${crm}/${client}: webhook ${endpointId} has ended`,
      });
    },
  );
}

export function addWebhookRotate(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'rotate <id>',
    'Prints a new secret of a webhook, shown only once. Messages are signed with both secrets for a while.',
    `webhook rotate 3 ${EXAMPLE} --overlap 2d`,
  )
    .option('--overlap <duration>', 'how long the older secret also signs: 12h, 7d, or 0s', '1d')
    .action(async (idText: string, { crm, client, overlap }: GatewayName & { overlap: string }) => {
      const endpointId = parseWholeNumber('ID', idText);
      const overlapSeconds = parseDuration('--overlap', overlap, 0);
      const box = await context.requireSecretBox(NEEDS_KEY);
      const gateway = await context.gateway(crm, client);
      const [database, actor] = [await context.openDatabase(), await context.actor()];
      const { secret } = await rotateWebhook(database, actor, gateway, { webhook: endpointId, overlapSeconds }, box);
      context.answer({
        json: { crm, client, id: endpointId, secret },
        text: () => `${crm}/${client}: the new secret of webhook ${endpointId}, shown only once\n${secret}`,
      });
    });
}

export function addWebhookReplay(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'replay <delivery>',
    'Sends a message again, with the same id, and waits for the answer.',
    `webhook replay 12 ${EXAMPLE}`,
  ).action(async (idText: string, { crm, client }: GatewayName) => {
    const deliveryId = parseWholeNumber('ID', idText);
    const gateway = await context.gateway(crm, client);
    await answerWithOutcome(context, await replayMessage(await context.openDatabase(), gateway, deliveryId));
  });
}

export function addWebhookTest(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'test <id>',
    'Sends a test to a webhook and waits for the answer. A disabled webhook that accepts it is enabled again.',
    `webhook test 3 ${EXAMPLE}`,
  ).action(async (idText: string, { crm, client }: GatewayName) => {
    const endpointId = parseWholeNumber('ID', idText);
    const gateway = await context.gateway(crm, client);
    await answerWithOutcome(context, await testWebhook(await context.openDatabase(), gateway, endpointId));
  });
}

/** Waits for the outcome of a message that an ingestor sends. */
export async function answerWithOutcome(context: CommandContext, deliveryId: number): Promise<void> {
  const { outboxLog } = await context.openDatabase();
  const deadlineMs = Date.now() + TEST_MS;
  for (;;) {
    const delivery = await outboxLog.find(deliveryId);
    if (delivery === null) throw new Refused('the receiver was removed meanwhile');
    const isTried = delivery.state !== 'pending' || delivery.tries > 0;
    if (isTried || Date.now() > deadlineMs) {
      const failure = isTried ? failureOf(delivery) : 'no ingestor has sent it yet: is one running?';
      context.answer({
        json: { ...deliveryView(delivery), ...(failure !== undefined && { failure }) },
        text: (options) => renderDeliveries(options, [delivery]),
        failure,
      });
      return;
    }
    await sleep(LOOK_MS);
  }
}

function failureOf({ state, error }: LoggedDelivery): string | undefined {
  return state === 'delivered' ? undefined : (error ?? `it was not sent: ${state}`);
}

function endpointView({
  id,
  url,
  events,
  createdAt,
  disabledAt,
  disabledReason,
  failingSince,
}: WebhookEndpoint): object {
  const since = { disabled_at: disabledAt, disabled_reason: disabledReason, failing_since: failingSince };
  return { id, url, events, created_at: createdAt, ...since };
}

function deliveryView(delivery: LoggedDelivery): object {
  const { id, type, at, state, tries, status, ms, answer, error, endpointId, messageId, triedAt } = delivery;
  const named = { webhook: endpointId, message_id: messageId, tried_at: triedAt };
  return { id, type, at, state, tries, status, ms, answer, error, ...named };
}
