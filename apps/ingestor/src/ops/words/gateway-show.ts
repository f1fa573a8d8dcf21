import type { Command } from 'commander';
import { type ShownGateway, toGatewayView } from '../gateway-view';
import type { Outcome } from '../outcome';
import type { Session } from '../session';
import { renderGateway, renderGateways } from '../show/gateways';
import { addGatewayWord, addWord, type GatewayName } from './word';

export function addGatewayList(gateway: Command, session: Session): void {
  addWord(gateway, 'list', 'Lists every gateway.', 'gateway list --json').action(async () => {
    const { gateways } = await session.openDatabase();
    const now = session.io.now();
    const views = (await gateways.list()).map((details) => toGatewayView(details, now));
    session.answer({ json: views, text: (look) => renderGateways(look, views) });
  });
}

export function addGatewayShow(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'show',
    'Shows one gateway with its schedule, its keys and its last run.',
    'gateway show --crm kyero --client agence-du-port',
  ).action(async (options: GatewayName) => {
    session.answer(await showGateway(session, options));
  });
}

/** The gateway as it is now. */
export async function showGateway(session: Session, { crm, client }: GatewayName): Promise<Outcome> {
  const details = await session.gateway(crm, client);
  const { runs } = await session.openDatabase();
  const [lastRun] = await runs.list({ gatewayId: details.id, limit: 1 });
  const shown: ShownGateway = { ...toGatewayView(details, session.io.now()), last_run: lastRun ?? null };
  return { json: shown, text: (look) => renderGateway(look, shown) };
}
