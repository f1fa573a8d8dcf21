import type { GatewayChange } from '@passerelle/database';
import { sealCredentials } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';
import type { SecretOptions } from '../options/secret-input';
import { parseCredentials, parseSettings, parseSourceOption } from '../options/source-options';
import { changeGateway, parseCalendarDate, parseDuration } from '@passerelle/operations';

import { sourcePolicyOf } from '../running-instance';
import { addGatewayCommand, type GatewayName } from './command';
import { showGateway } from './gateway-show';

interface SetOptions extends GatewayName, Omit<SecretOptions, 'key' | 'keyFile'> {
  /** False for `--no-credentials`. */
  credentials: boolean;
  set?: string[];
  unset?: string[];
  every?: string;
  contractEnd?: string;
}

export function addGatewaySet(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'set',
    'Changes a gateway and runs it immediately. Values that are not named stay.',
    'gateway set --crm kyero --client agence-du-port --every 20m --set max-vanished-share=0.4',
  )
    .option('--source <url>', 'the new address of the feed')
    .option('--source-file <file>', 'the same from a file, for an address that is a secret')
    .option('--credential <name=value...>', 'new credentials, which replace all earlier ones')
    .option('--credential-file <name=file...>', 'the same from a file; "-" is standard input')
    .option('--no-credentials', 'removes all credentials')
    .option('--set <name=value...>', 'settings to add or change')
    .option('--unset <name...>', 'settings to remove')
    .option('--every <duration>', 'how often the gateway is read, or "default"')
    .option('--contract-end <date>', 'the last day on which it is served, or "none"')
    .action(async (options: SetOptions) => {
      const change = await parseChange(context, options);
      const database = await context.openDatabase();
      const { crm, client } = options;
      await context.gateway(crm, client);
      await changeGateway(database, await context.actor(), { crm, client }, change, await context.secretBox());
      context.answer(await showGateway(context, options));
    });
}

async function parseChange(context: CommandContext, given: SetOptions): Promise<GatewayChange> {
  const options = await context.input.resolve(given);
  const { source, credential, set, unset, every, contractEnd } = options;
  if (credential !== undefined && !options.credentials) {
    throw new UsageError('--credential and --no-credentials exclude each other');
  }
  const change: GatewayChange = {
    ...(!options.credentials && { credentials: null }),
    ...(unset !== undefined && { unsetSettings: unset }),
    ...(every !== undefined && { everySeconds: every === 'default' ? null : parseDuration('--every', every) }),
    ...(contractEnd !== undefined && {
      contractEnd: contractEnd === 'none' ? null : parseCalendarDate('--contract-end', contractEnd),
    }),
  };
  if (credential !== undefined || set !== undefined || source !== undefined) {
    const connector = await context.connector(options.crm);
    if (source !== undefined) {
      change.sourceUrl = parseSourceOption(source, connector, sourcePolicyOf(context.env));
      await context.requireSecretBox('--source');
    }
    if (set !== undefined) change.settings = parseSettings(set, connector);
    if (credential !== undefined) {
      const credentials = parseCredentials(credential, connector);
      change.credentials = sealCredentials(credentials, await context.requireSecretBox('--credential'));
    }
  }
  if (Object.keys(change).length > 0) return change;
  throw new UsageError(
    'nothing to change: give --source, --credential, --no-credentials, --set, --unset, --every or --contract-end',
  );
}
