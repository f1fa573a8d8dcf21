import { setGatewayEnabled } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { addGatewayCommand, type GatewayName } from './command';
import { showGateway } from './gateway-show';

export function addGatewayEnable(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'enable',
    'Lets a disabled gateway serve and run again, at once.',
    'gateway enable --crm kyero --client agence-du-port',
  ).action(async (name: GatewayName) => {
    await setEnabled(context, name, true);
  });
}

export function addGatewayDisable(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'disable',
    'Stops a gateway: its clients get 403 and it runs no more. Nothing of it is lost.',
    'gateway disable --crm kyero --client agence-du-port',
  ).action(async (name: GatewayName) => {
    await setEnabled(context, name, false);
  });
}

async function setEnabled(context: CommandContext, name: GatewayName, isEnabled: boolean): Promise<void> {
  const gateway = await context.gateway(name.crm, name.client);
  await setGatewayEnabled(await context.openDatabase(), await context.actor(), gateway, isEnabled);
  context.answer(await showGateway(context, name));
}
