import type { GatewayDetails } from '@passerelle/database';
import { ALL_TERMS, generateApiKey, type KeyScope, type KeyTerms, visiblePrefix } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import type { SecretOptions } from '../options/secret-input';
import { parseApiKey } from '../options/values';
import { type KeyTermOptions, parseKeyTerms } from '../options/key-terms';
import { span } from '../render/figures';
import { parseDuration, Refused } from '@passerelle/operations';
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
      const { id, keys } = await context.gateway(crm, client);
      const terms = { ...termsOf(keys, said.scope, context.terminal.now()), ...said };
      const { gateways } = await context.openDatabase();
      const stored = { ...(await context.keyHashes()).make(key), ...terms, prefix: visiblePrefix(key) };
      await gateways.rotateKey(id, stored, overlapSeconds);
      const after = { prefix: stored.prefix, scope: terms.scope, overlap_seconds: overlapSeconds };
      await context.record({ act: 'gateway rotate-key', crm, client, after });
      const older =
        overlapSeconds === 0 ? 'the older keys have ended' : `the older keys end in ${span(overlapSeconds)}`;
      context.answer({
        json: { crm, client, key },
        text: () => `${crm}/${client}: the new key, shown only once; ${older}\n${key}`,
      });
    });
}

/**
 * The scope and networks of the newest key, so that the new key has the same limits.
 * @throws Refused when the current keys have different scopes and `--scope` is missing
 */
function termsOf(keys: GatewayDetails['keys'], scope: KeyScope | undefined, now: Date): KeyTerms {
  const live = keys.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
  const wanted = scope ?? live.at(-1)?.scope;
  if (scope === undefined && live.some((key) => key.scope !== wanted)) {
    throw new Refused('its keys have different scopes: name the scope of the new key with --scope');
  }
  const last = live.filter((key) => key.scope === wanted).at(-1);
  return last === undefined ? ALL_TERMS : { scope: last.scope, networks: last.networks };
}
