import type { InboundWebhookUrl, WaitingWebhooks } from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import { closeInboundWebhookUrl, openInboundWebhookUrl, parseDuration } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';
import { parseWholeNumber } from '../options/values';
import type { RenderOptions } from '../render/render-options';
import { renderTable } from '../render/table';
import { addGatewayCommand, type GatewayName } from './command';

const EXAMPLE = '--crm propstack --client agentur';
const DEFAULT_OVERLAP = '7d';

interface OpenOptions extends GatewayName {
  secret?: string;
  secretFile?: string;
  overlap: string;
}

export function addCallAddressOpen(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'open',
    'Prints a new address for the CRM to call, and the secret with which it signs its calls. Both are shown only once; older addresses keep working for a while.',
    `call-address open ${EXAMPLE} --overlap 2d`,
  )
    .option('--secret <secret>', 'a secret that the CRM has generated, or "-" for standard input (default: a new one)')
    .option('--secret-file <file>', 'the same from a file')
    .option(
      '--overlap <duration>',
      'how long older addresses keep working: 12h, 7d, or 0s to end them now',
      DEFAULT_OVERLAP,
    )
    .action(async ({ crm, client, secret: word, secretFile, overlap }: OpenOptions) => {
      const { fetch } = await context.connector(crm);
      if (fetch.kind !== 'pushed') throw new UsageError(`--crm ${crm}: its CRM sends no calls`);
      const own = await ownSecret(context, word, secretFile);
      const overlapSeconds = parseDuration('--overlap', overlap, 0);
      const gateway = await context.gateway(crm, client);
      const wish = { proof: fetch.webhook.proof, overlapSeconds, ...(own !== undefined && { own }) };
      const [database, actor] = [await context.openDatabase(), await context.actor()];
      const box = (): Promise<SecretBox> => context.requireSecretBox('the secret of calls');
      const { id, path, secret } = await openInboundWebhookUrl(database, actor, gateway, wish, box);
      context.answer({
        json: { crm, client, id, path, ...(secret !== undefined && { secret }) },
        text: () =>
          [
            `${crm}/${client}: the path for the CRM, to append to the address of the API; shown only once`,
            path,
            ...(secret === undefined ? [] : [`the secret of its calls, shown only once`, secret]),
          ].join('\n'),
      });
    });
}

export function addCallAddressList(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'list',
    'Lists the addresses of a gateway, and the number of listings that wait for a run.',
    `call-address list ${EXAMPLE}`,
  ).action(async ({ crm, client }: GatewayName) => {
    const { id } = await context.gateway(crm, client);
    const { inboundWebhookUrls } = await context.openDatabase();
    const [addresses, waiting] = [await inboundWebhookUrls.list(id), await inboundWebhookUrls.waiting(id)];
    context.answer({
      json: { addresses: addresses.map(addressView), waiting },
      text: (options) => `${renderAddresses(options, addresses)}\n\n${waitingInWords(waiting)}`,
    });
  });
}

export function addCallAddressClose(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'close <id>',
    'Closes an address; API processes may accept calls there for five more seconds.',
    `call-address close 3 ${EXAMPLE}`,
  ).action(async (idText: string, { crm, client }: GatewayName) => {
    const addressId = parseWholeNumber('ID', idText);
    const gateway = await context.gateway(crm, client);
    await closeInboundWebhookUrl(await context.openDatabase(), await context.actor(), gateway, addressId);
    context.answer({
      json: { crm, client, closed: addressId },
      text: () => `${crm}/${client}: the address ${addressId} has ended`,
    });
  });
}

async function ownSecret(context: CommandContext, word?: string, file?: string): Promise<string | undefined> {
  if (word !== undefined && file !== undefined) throw new UsageError('--secret and --secret-file: give one of them');
  if (file !== undefined) return (await context.input.read('--secret-file', file)).trim();
  return word === '-' ? (await context.input.read('--secret', '-')).trim() : word;
}

function addressView({ id, prefix, hasSecret, createdAt, expiresAt }: InboundWebhookUrl): object {
  return { id, prefix, has_secret: hasSecret, created_at: createdAt, expires_at: expiresAt };
}

function renderAddresses(options: RenderOptions, addresses: readonly InboundWebhookUrl[]): string {
  return renderTable(
    options,
    [
      { title: 'id', value: ({ id }) => id, align: 'right' },
      { title: 'address', value: ({ prefix }) => `/in/${prefix}…` },
      { title: 'proof', value: ({ hasSecret }) => (hasSecret ? 'a secret' : 'the address') },
      { title: 'opened', value: ({ createdAt }) => createdAt.slice(0, 10) },
      { title: 'ends', value: ({ expiresAt }) => expiresAt?.slice(0, 16) ?? null },
    ],
    addresses,
    'no address',
  );
}

function waitingInWords({ listings, since }: WaitingWebhooks): string {
  return since === null ? 'nothing waits for a run' : `${listings} of its listings wait for a run since ${since}`;
}
