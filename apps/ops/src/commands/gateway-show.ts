import type { Command } from 'commander';
import type { CommandResult } from '../command-context';
import type { CommandContext } from '../command-context';
import { renderGateway, renderGateways } from '../render/gateways';
import { type ShownGateway, toGatewayView } from '../views/gateway-view';
import { addGatewayCommand, addCommand, type GatewayName } from './command';

export function addGatewayList(gateway: Command, context: CommandContext): void {
  addCommand(gateway, 'list', 'Lists every gateway.', 'gateway list --json').action(async () => {
    const { gateways } = await context.openDatabase();
    const now = context.terminal.now();
    const views = (await gateways.list()).map((details) => toGatewayView(details, now));
    context.answer({ json: views, text: (renderOptions) => renderGateways(renderOptions, views) });
  });
}

export function addGatewayShow(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'show',
    'Shows one gateway with its schedule, its keys and its last run.',
    'gateway show --crm kyero --client agence-du-port',
  ).action(async (options: GatewayName) => {
    context.answer(await showGateway(context, options));
  });
}

/** The gateway as it is now. */
export async function showGateway(context: CommandContext, { crm, client }: GatewayName): Promise<CommandResult> {
  const details = await context.gateway(crm, client);
  const { runHistory } = await context.openDatabase();
  const [lastRun] = await runHistory.list({ gatewayId: details.id, limit: 1 });
  const shown: ShownGateway = { ...toGatewayView(details, context.terminal.now()), last_run: lastRun ?? null };
  return { json: shown, text: (renderOptions) => renderGateway(renderOptions, shown) };
}
