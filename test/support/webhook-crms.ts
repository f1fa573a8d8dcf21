import { PROPSTACK_CREDENTIALS, propstackWebhook, simulatePropstack } from '../simulated/apis/propstack';
import { SWEEPBRIGHT_CREDENTIALS, simulateSweepbright } from '../simulated/apis/sweepbright';

/** A CRM whose listings a test changes, and whose webhooks the test sends. */
export interface WebhookCrm {
  crm: string;
  sourceUrl: string;
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  host: string;
  credentials: object;
  /** Whether its webhooks are signed with a secret. */
  isSigned: boolean;
  /** Whether the CRM has a complete list. If not, the ingestor requests listings without a webhook for a week. */
  hasList: boolean;
  prices: ReadonlyMap<string, number>;
  /** Adds, changes or (null) removes a listing. A CRM without a list adds none, because only a webhook can announce it. */
  change(id: number, price: number | null): void;
  webhookOf(id: number, secret: string): { body: string; headers: Record<string, string> };
  close(): Promise<void>;
}

export const WEBHOOK_CRMS = { propstack: startPropstack, sweepbright: startSweepbright } as const;
export type WebhookCrmName = keyof typeof WEBHOOK_CRMS;

async function startPropstack(listings: number): Promise<WebhookCrm> {
  const prices = pricesOf(listings);
  const units = new Map<number, object>();
  for (const [id, price] of prices) units.set(Number(id), { price });
  const server = await simulatePropstack({ units, removed: [], reportsRemoved: false });
  return {
    ...{
      crm: 'propstack',
      host: server.host,
      sourceUrl: `http://${server.host}/v1`,
      credentials: PROPSTACK_CREDENTIALS,
    },
    ...{ isSigned: true, hasList: true, prices },
    change(id, price) {
      if (price === null) {
        units.delete(id);
        prices.delete(String(id));
      } else {
        units.set(id, { price });
        prices.set(String(id), price);
      }
    },
    webhookOf: (id, secret) => propstackWebhook('property_updated', id, secret),
    close: () => server.close(),
  };
}

async function startSweepbright(listings: number): Promise<WebhookCrm> {
  const prices = pricesOf(listings);
  const estateOf = (id: string, amount: number) => ({
    id,
    members: { price: { amount, currency: 'EUR', hidden: false } },
  });
  const estates = new Map([...prices].map(([id, price]) => [id, estateOf(id, price)]));
  const photo = (): Buffer => Buffer.alloc(0);
  const server = await simulateSweepbright({ estates, photo, isDead: () => false });
  return {
    ...{ crm: 'sweepbright', host: server.host, sourceUrl: `http://${server.host}` },
    ...{ credentials: SWEEPBRIGHT_CREDENTIALS, isSigned: false, hasList: false, prices },
    change(number, price) {
      const id = String(number);
      // A removed listing does not come back under its id.
      if (!estates.has(id)) return;
      if (price === null) {
        estates.delete(id);
        prices.delete(id);
      } else {
        estates.set(id, estateOf(id, price));
        prices.set(id, price);
      }
    },
    webhookOf: (id) => ({
      body: JSON.stringify({ event: 'estate-updated', estate_id: String(id) }),
      headers: { 'content-type': 'application/json' },
    }),
    close: () => server.close(),
  };
}

function pricesOf(listings: number): Map<string, number> {
  return new Map(Array.from({ length: listings }, (_, n) => [String(n + 1), 100_000]));
}
