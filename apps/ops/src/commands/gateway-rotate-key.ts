import { generateApiKey } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import type { SecretOptions } from '../options/secret-input';
import { parseApiKey, parseWholeNumber } from '../options/values';
import { type KeyTermOptions, parseKeyTerms } from '../options/key-terms';
import { span } from '../render/figures';
import { parseDuration, revokeKey, rotateKey } from '@passerelle/operations';
import { addGatewayCommand, type GatewayName } from './command';

const DEFAULT_OVERLAP = '7d';

interface RotateOptions extends GatewayName, KeyTermOptions, Pick<SecretOptions, 'key' | 'keyFile'> {
  overlap: string;
}

export function addGatewayRotateKey(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'rotate-key',
    'Prints a new API key; it is shown only once. The older keys that it replaces keep working for a while.',
    'gateway rotate-key --crm kyero --client agence-du-port --overlap 2d',
  )
    .option(
      '--overlap <duration>',
      'how long the older keys keep working: 12h, 7d, or 0s to end them now',
      DEFAULT_OVERLAP,
    )
    .option('--scope <scope>', 'scope of the new key: read, report or both (default: as the older ones)')
    .option('--network <range...>', 'addresses or CIDR ranges that may use it, or any (default: as the older ones)')
    .option('--key <key>', 'an API key of your own: 24 to 256 printable characters, or "-" (default: a new one)')
    .option('--key-file <file>', 'the same from a file')
    .action(async ({ crm, client, overlap, scope, network, ...secrets }: RotateOptions) => {
      const { key: ownKey } = await context.input.resolve(secrets);
      const overlapSeconds = parseDuration('--overlap', overlap, 0);
      const key = ownKey === undefined ? generateApiKey() : parseApiKey('--key', ownKey);
      const said = parseKeyTerms({ ...(scope !== undefined && { scope }), ...(network !== undefined && { network }) });
      const gateway = await context.gateway(crm, client);
      const wish = { key, overlapSeconds, terms: said };
      const [database, actor, hashes] = [
        await context.openDatabase(),
        await context.actor(),
        await context.keyHashes(),
      ];
      await rotateKey(database, actor, gateway, wish, hashes, context.terminal.now());
      const older =
        overlapSeconds === 0 ? 'the older keys have ended' : `the older keys end in ${span(overlapSeconds)}`;
      context.answer({
        json: { crm, client, key },
        text: () => `${crm}/${client}: the new key, shown only once; ${older}\n${key}`,
      });
    });
}

export function addGatewayRevokeKey(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'revoke-key <id>',
    'Ends an API key immediately; "gateway show" lists the keys.',
    'gateway revoke-key 3 --crm kyero --client agence-du-port',
  ).action(async (idText: string, { crm, client }: GatewayName) => {
    const keyId = parseWholeNumber('ID', idText);
    const found = await context.gateway(crm, client);
    await revokeKey(await context.openDatabase(), await context.actor(), found, { keyId });
    context.answer({
      json: { crm, client, revoked: keyId },
      text: () => `${crm}/${client}: the key ${keyId} has ended`,
    });
  });
}
