import { generateApiKey, hashApiKey, visiblePrefix } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandResult } from '../command-context';
import type { CommandContext } from '../command-context';
import { parseCredentials, parseSettings, parseSourceUrl } from '../options/source-options';
import { assertSlug, parseApiKey, parseCalendarDate, parseDuration } from '../options/values';
import { addGatewayCommand, type GatewayName } from './command';

interface AddOptions extends GatewayName {
  source: string;
  credential?: string[];
  set?: string[];
  key?: string;
  every?: string;
  contractEnd?: string;
}

export function addGatewayAdd(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'add',
    'Adds a gateway and prints its API key, this once.',
    'gateway add --crm kyero --client agence-du-port --source https://crm.example/feed.xml --every 50m',
  )
    .requiredOption('--source <url>', 'where the feed is: http(s):, ftp(s):, sftp:, or file: for a file of the inbox')
    .option('--credential <name=value...>', 'a credential of the source; "connectors" lists the names')
    .option('--set <name=value...>', 'a setting of the connector or of the publish gate')
    .option('--key <key>', 'an API key of your own: 8 to 256 printable characters (default: a new one)')
    .option('--every <duration>', 'how often it is ingested: 90s, 50m, 12h, 7d (default: as the ingestor is set)')
    .option('--contract-end <date>', 'the last day that it serves, YYYY-MM-DD, in Europe/Paris')
    .action(async (options: AddOptions) => {
      context.answer(await addGateway(context, options));
    });
}

async function addGateway(context: CommandContext, options: AddOptions): Promise<CommandResult> {
  const { crm, client } = options;
  const connector = await context.connector(crm);
  assertSlug('--client', client);
  const sourceUrl = parseSourceUrl(options.source, connector);
  const credentials = parseCredentials(options.credential ?? [], connector);
  const settings = parseSettings(options.set ?? [], connector);
  const key = options.key === undefined ? generateApiKey() : parseApiKey('--key', options.key);
  const everySeconds = options.every === undefined ? null : parseDuration('--every', options.every);
  const contractEnd =
    options.contractEnd === undefined ? null : parseCalendarDate('--contract-end', options.contractEnd);

  const { gateways, installation } = await context.openDatabase();
  await gateways.add(
    { crm, client, sourceUrl, settings, credentials: await context.seal(credentials), everySeconds, contractEnd },
    { hash: hashApiKey(key, await installation.keyPepper()), prefix: visiblePrefix(key) },
  );
  return {
    json: { crm, client, key },
    text: () => `${crm}/${client} is added; its key, shown this once:\n${key}`,
  };
}
