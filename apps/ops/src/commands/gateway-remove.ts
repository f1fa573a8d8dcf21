import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { addGatewayCommand, type GatewayName } from './command';

export function addGatewayRemove(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'remove',
    'Removes a gateway with its keys, listings, runs and reports. There is no way back.',
    'gateway remove --crm kyero --client agence-du-port',
  )
    .option('--yes', 'changes nothing: no question is asked anyway')
    .action(async ({ crm, client }: GatewayName) => {
      const { id } = await context.gateway(crm, client);
      const { gateways } = await context.openDatabase();
      await gateways.remove(id);
      context.answer({ json: { crm, client, removed: true }, text: () => `${crm}/${client} is removed` });
    });
}
