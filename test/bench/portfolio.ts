import type { StoredSnapshot } from '@passerelle/database';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway, drop, importNow } from './gateways';
import type { Surroundings } from './surroundings';

export const LISTINGS = 100_000;
export const PER_PAGE = 50;

/** A gateway that serves 100,000 listings. */
export async function importPortfolio(
  surroundings: Surroundings,
): Promise<{ gateway: BenchGateway; snapshot: StoredSnapshot }> {
  await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
  const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
  await importNow(surroundings, gateway);
  const snapshotId = (await surroundings.database.gateways.loadForIngest(gateway.id))?.currentSnapshotId;
  if (snapshotId === undefined || snapshotId === null) throw new Error('the portfolio was not published');
  return { gateway, snapshot: { gatewayId: gateway.id, id: snapshotId } };
}
