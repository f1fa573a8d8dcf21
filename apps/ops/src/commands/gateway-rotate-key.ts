import { generateApiKey, visiblePrefix } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import type { SecretWords } from '../options/secret-input';
import { parseApiKey, parseDuration } from '../options/values';
import { span } from '../render/figures';
import { addGatewayCommand, type GatewayName } from './command';

const DEFAULT_OVERLAP = '7d';

interface RotateOptions extends GatewayName, Pick<SecretWords, 'key' | 'keyFile'> {
  overlap: string;
}

export function addGatewayRotateKey(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'rotate-key',
    'Prints a new API key, this once; the older ones work on for a while.',
    'gateway rotate-key --crm kyero --client agence-du-port --overlap 2d',
  )
    .option('--overlap <duration>', 'how long the older keys work on: 12h, 7d, or 0s to end them now', DEFAULT_OVERLAP)
    .option('--key <key>', 'an API key of your own: 24 to 256 printable characters, or "-" (default: a new one)')
    .option('--key-file <file>', 'the same from a file')
    .action(async ({ crm, client, overlap, ...secrets }: RotateOptions) => {
      const { key: ownKey } = await context.input.resolve(secrets);
      const overlapSeconds = parseDuration('--overlap', overlap, 0);
      const key = ownKey === undefined ? generateApiKey() : parseApiKey('--key', ownKey);
      const { id } = await context.gateway(crm, client);
      const { gateways } = await context.openDatabase();
      const stored = { ...(await context.keyHashes()).make(key), prefix: visiblePrefix(key) };
      await gateways.rotateKey(id, stored, overlapSeconds);
      const older =
        overlapSeconds === 0 ? 'the older keys have ended' : `the older keys end in ${span(overlapSeconds)}`;
      context.answer({
        json: { crm, client, key },
        text: () => `${crm}/${client}: the new key, shown this once; ${older}\n${key}`,
      });
    });
}
