import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import { type RunView, SecretBox } from '@passerelle/domain';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import type { FeedFormat } from './feeds';

/** A gateway whose runs a test requests. Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM. */
export interface GatewayRuns {
  crm: FeedServer;
  run(): Promise<RunView>;
  /** Every byte that the gateway serves, in both formats. */
  served(): Promise<string>;
  close(): Promise<void>;
}

const KEY = 'a key for tests of 32 characters';

export async function startGatewayRuns({ crm: code, credentials }: FeedFormat): Promise<GatewayRuns> {
  const db: TestDatabase = await createTestDatabase();
  const registry: ConnectorRegistry = await loadRegistry();
  const crm = await startFeedServer();
  const box = new SecretBox(KEY);
  const gatewayId = await db.database.gateways.add(
    {
      ...{ crm: code, client: 'agency', sourceUrl: code === 'reso' ? `${crm.url}/Property` : crm.url },
      ...{ settings: { 'requests-per-second': '1000', ...(code === 'apimo' && { agency: '7' }) } },
      ...{ credentials: box.seal(JSON.stringify(credentials)), everySeconds: null, contractEnd: null },
    },
    { hash: Buffer.alloc(32), prefix: 'psr_x' },
  );
  return {
    crm,
    async run() {
      const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
      const outbound = { allowPrivate: new Set([crm.hostAndPort]), pagePauseMs: 0 };
      await runWaiting(db.database, gatewayId, { registry, outbound, secretsKey: KEY });
      const view = await db.database.runHistory.find(runId);
      if (view === null) throw new Error('the run is gone');
      return view;
    },
    async served() {
      const gateway = await db.database.servedGateways.find(code, 'agency');
      if (!gateway?.snapshot) return '';
      const snapshot = { gatewayId: gateway.id, ...gateway.snapshot };
      const page = async (format: 'normalized' | 'raw') =>
        String((await db.database.listings.page(snapshot, format, 0, 10_000)) ?? '');
      return `${await page('normalized')}\n${await page('raw')}`;
    },
    async close() {
      await crm.close();
      await db.drop();
    },
  };
}
