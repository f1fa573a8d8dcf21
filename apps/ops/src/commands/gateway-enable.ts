import { setGatewayEnabled } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { addGatewayCommand, type GatewayName } from './command';
import { showGateway } from './gateway-show';

export function addGatewayEnable(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'enable',
    'Enables a disabled gateway: it is served and read again immediately.',
    'gateway enable --crm kyero --client agence-du-port',
  ).action(async (name: GatewayName) => {
    await setEnabled(context, name, true);
  });
}

export function addGatewayDisable(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'disable',
    'Disables a gateway: its clients get 403 and its source is no longer read. Its data is kept.',
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
