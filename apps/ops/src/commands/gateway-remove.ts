import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { Refused } from '@passerelle/operations';
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
      const { id, listings, keys } = await context.gateway(crm, client);
      const loss = `${counted(listings ?? 0, 'listing')}, ${counted(keys.length, 'key')} and all runs and reports`;
      if (yes !== true && !(await context.terminal.confirm(`Remove ${crm}/${client} with ${loss}?`))) {
        throw new Refused(`${crm}/${client} is not removed: give --yes, or answer yes on a terminal`);
      }
      const { gateways, placements } = await context.openDatabase();
      const live = leaveAdverts ? [] : await placements.live(id);
      if (live.length > 0) {
        const named = live.map(({ target, count }) => `${counted(count, 'advert')} at ${target}`).join(', ');
        throw new Refused(
          `${crm}/${client} is not removed: portals show ${named}. "placement remove" takes them offline; --leave-adverts leaves them`,
        );
      }
      const waiting = await gateways.remove(id, { withLeads });
      if (waiting > 0) {
        throw new Refused(
          `${crm}/${client} is not removed: ${counted(waiting, 'lead')} of visitors would be lost. The console shows why they wait; --with-leads removes them, too`,
        );
      }
      await context.record({ act: 'gateway remove', crm, client, before: { listings, keys: keys.length } });
      context.answer({ json: { crm, client, removed: true }, text: () => `${crm}/${client} is removed with ${loss}` });
    });
}
