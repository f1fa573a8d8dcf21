import { loadRegistry } from '@passerelle/connectors';
import type { RunView, Warning } from '@passerelle/domain';
import { SecretBox } from '@passerelle/domain';
import { runWaiting, type TestRunner } from '../../support/gateway-runner';
import type { TestDatabase } from '../../support/test-database';

const SECRETS_KEY = 'the-key-of-the-calls-of-this-test-0123';

/** A gateway whose CRM sends webhooks. */
export interface NotifiedGateway {
  id: number;
  /** Notes a webhook about these listings, as the API does. */
  call(...listings: readonly string[]): Promise<void>;
  /** Carries out the waiting run, or a new run for this request. */
  run(request?: { trigger: 'ops' | 'schedule'; dryRun?: boolean }): Promise<RunView | null>;
  listings(): Promise<Record<string, unknown>[]>;
  warningsOf(run: RunView | null): Promise<Pick<Warning, 'code' | 'count'>[]>;
}

export async function notifiedGateway(
  db: TestDatabase,
  { crm, host, path = '', credentials }: { crm: string; host: string; path?: string; credentials: object },
  runner: Partial<TestRunner> = {},
): Promise<NotifiedGateway> {
  const registry = await loadRegistry();
  const { database } = db;
  const id = await database.gateways.add(
    {
      ...{
        crm,
        client: 'agency',
        sourceUrl: `http://${host}${path}`,
        settings: {},
        everySeconds: null,
        contractEnd: null,
      },
      credentials: new SecretBox(SECRETS_KEY).seal(JSON.stringify(credentials)),
    },
    { hash: Buffer.alloc(32), prefix: 'psr_x' },
  );
  const outbound = { allowPrivate: new Set([host]), pagePauseMs: 0 };
  return {
    id,
    call: (...listings) => database.webhookInbox.store(id, listings, 'request'),
    async run(request) {
      if (request !== undefined) await database.runRequests.request({ gatewayId: id, ...request });
      const [waiting] = await db.query<{ id: number }>(
        `SELECT id FROM run WHERE gateway_id = $1 AND state = 'queued' ORDER BY id LIMIT 1`,
        [id],
      );
      await runWaiting(database, id, { registry, outbound, secretsKey: SECRETS_KEY, ...runner });
      return waiting === undefined ? null : await database.runHistory.find(waiting.id);
    },
    async listings() {
      const gateway = await database.servedGateways.find(crm, 'agency');
      if (!gateway?.snapshot) return [];
      const snapshot = { gatewayId: gateway.id, ...gateway.snapshot };
      const page = await database.listings.page(snapshot, 'normalized', 0, 10_000);
      return JSON.parse(`[${String(page ?? '')}]`) as Record<string, unknown>[];
    },
    async warningsOf(run) {
      return await db.query(
        `SELECT code, count FROM run_warning WHERE run_id = $1 AND code <> 'duty_missing' ORDER BY code`,
        [run?.id],
      );
    },
  };
}
