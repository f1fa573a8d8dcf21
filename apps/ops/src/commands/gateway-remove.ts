import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { Refused, removeGateway } from '@passerelle/operations';
import { counted } from '../render/figures';
import { addGatewayCommand, type GatewayName } from './command';

interface Wishes {
  yes?: true;
  withLeads?: boolean;
  leaveAdverts?: boolean;
}

export function addGatewayRemove(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'remove',
    'Removes a gateway with its keys, listings, runs and reports. There is no way back.',
    'gateway remove --crm kyero --client agence-du-port --yes',
  )
    .option('--yes', 'removes it without a question')
    .option('--with-leads', 'also removes leads that are not delivered yet')
    .option('--leave-adverts', 'removes it although portals show adverts of it, which then stay there')
    .action(async ({ crm, client, yes, withLeads = false, leaveAdverts = false }: GatewayName & Wishes) => {
      const found = await context.gateway(crm, client);
      const { listings, keys } = found;
      const loss = `${counted(listings ?? 0, 'listing')}, ${counted(keys.length, 'key')} and all runs and reports`;
      if (yes !== true && !(await context.terminal.confirm(`Remove ${crm}/${client} with ${loss}?`))) {
        throw new Refused(`${crm}/${client} is not removed: give --yes, or answer yes on a terminal`);
      }
      const wish = { listings, keys: keys.length, withLeads, leaveAdverts };
      await removeGateway(await context.openDatabase(), await context.actor(), found, wish);
      context.answer({ json: { crm, client, removed: true }, text: () => `${crm}/${client} is removed with ${loss}` });
    });
}
