import type { SnapshotOfGateway } from '@passerelle/database';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway, drop, importNow } from './gateways';
import type { Surroundings } from './surroundings';
import { sized } from './size';

export const LISTINGS = sized(100_000, 1_000);
export const PER_PAGE = 50;

/** Imports a gateway that then serves `LISTINGS` listings. */
export async function importPortfolio(
  surroundings: Surroundings,
): Promise<{ gateway: BenchGateway; snapshot: SnapshotOfGateway }> {
  await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
  const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
  await importNow(surroundings, gateway);
  const served = await surroundings.database.servedGateways.find('kyero', gateway.client);
  if (!served?.snapshot) throw new Error('the portfolio was not published');
  return { gateway, snapshot: { ...served.snapshot, gatewayId: gateway.id } };
}
