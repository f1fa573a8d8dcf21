import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateWebhookToken, SecretBox } from '@passerelle/domain';
import pg from 'pg';
import { Agent, request } from 'undici';
import {
  PROPSTACK_CREDENTIALS,
  propstackWebhook,
  type PropstackState,
  simulatePropstack,
} from '../simulated/apis/propstack';
import type { Bench, Finding } from './bench';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const LISTINGS = 50;
const CALLS = sized(60, 3);
const EVERY_MS = 1_000;
const CRM_MS = 1_000;
const BURST = sized(10_000, 200);
const GOAL_S = 10;
const GOAL_ANSWER_MS = 5;
const SECRETS_KEY = 'the-key-of-the-secrets-of-this-bench-01';

/**
 * Waits up to a minute for a connection, because thousands of connections that open at the same time are slow, and the
 * bench measures that.
 */
const PATIENT = new Agent({ connect: { timeout: 60_000 } });

/**
 * Measures the time from a CRM's webhook to the changed list, and how the API answers webhooks that arrive at the same
 * time.
 */
export const calls: Bench = { name: 'calls', run: measureInboundWebhooks };

async function measureInboundWebhooks(surroundings: Surroundings): Promise<Finding[]> {
  const state: PropstackState = { units: new Map(), removed: [], reportsRemoved: false };
  for (let id = 1; id <= LISTINGS; id += 1) state.units.set(id, { price: 100_000 });
  const crm = await simulatePropstack(state);
  crm.fault = () => ({ kind: 'late', delayMs: CRM_MS });
  const { database } = surroundings;
  const box = new SecretBox(SECRETS_KEY);
  const gatewayId = await database.gateways.add(
    {
      ...{ crm: 'propstack', client: 'bench', sourceUrl: `http://${crm.host}/v1`, settings: {}, everySeconds: null },
      ...{ credentials: box.seal(JSON.stringify(PROPSTACK_CREDENTIALS)), contractEnd: null },
    },
    { hash: Buffer.alloc(32, 7), prefix: 'psr_b' },
  );
  const token = generateWebhookToken();
  const hash = createHash('sha256').update(token).digest();
  await database.inboundWebhookUrls.open(gatewayId, { hash, prefix: 'psc_b', secret: box.seal(token) }, 0);
  const settings = { SECRETS_KEY, ALLOW_PRIVATE_SOURCES: crm.host };
  const ingestor = await surroundings.start('apps/ingestor/src/main.js', settings);
  const api = await surroundings.start('apps/api/src/main.js', settings);
  try {
    await database.runRequests.request({ gatewayId, trigger: 'ops' });
    await until(async () => (await priceOf(surroundings, 1)) === 100_000);
    const call = (id: number): ReturnType<typeof answered> =>
      answered(`http://127.0.0.1:${api.port}/in/${token}`, propstackWebhook('property_updated', id, token));
    const delays: Promise<number>[] = [];
    for (let n = 0; n < CALLS; n += 1) {
      const [id, price] = [1 + (n % LISTINGS), 200_000 + n];
      state.units.set(id, { price });
      await call(id);
      delays.push(secondsUntil(async () => (await priceOf(surroundings, id)) === price));
      await sleep(EVERY_MS);
    }
    const seconds = await Promise.all(delays);
    await until(() => isQuiet(surroundings, gatewayId));
    const runsBefore = await runsOf(surroundings, gatewayId);
    for (let id = 1; id <= LISTINGS; id += 1) state.units.set(id, { price: 300_000 + id });
    const answers = await Promise.all(Array.from({ length: BURST }, (_, n) => call(1 + (n % LISTINGS))));
    await until(() => isQuiet(surroundings, gatewayId));
    const shown = await pricesOf(surroundings);
    const lost = [...state.units].filter(([id, unit]) => shown.get(id) !== (unit as { price: number }).price).length;
    const burst = answers.map(({ tookMs }) => tookMs);
    const again = answers.reduce((sum, one) => sum + one.again, 0);
    const runs = (await runsOf(surroundings, gatewayId)) - runsBefore;
    return [
      {
        what: 'call of a CRM that answers in 1 s until its change is in the list, p95',
        ...{ value: p95(seconds), goal: { max: GOAL_S }, unit: 's' },
        detail: `${CALLS} calls, one a second; median ${p50(seconds).toFixed(1)} s`,
      },
      {
        what: 'a call of a burst, by their number',
        ...{ value: Math.max(...burst) / BURST, goal: { max: GOAL_ANSWER_MS }, unit: 'ms' },
        detail: `${BURST} at once, all answered after ${(Math.max(...burst) / 1000).toFixed(1)} s; ${again} had to call again; ${runs} runs followed`,
      },
      {
        what: 'changes that such a burst told of, and that are not in the list afterwards',
        ...{ value: lost, goal: { max: 0 }, unit: 'listings' },
        detail: `of ${LISTINGS}; every call was answered with 202, or with 429 or 503 and when to call again`,
      },
    ];
  } finally {
    // Wait for all three: if one program cannot stop, the others must still stop, or the bench would never end.
    await Promise.allSettled([api.stop(), ingestor.stop(), crm.close()]);
  }
}

/** Whether no webhook waits for a run and no run is in progress. */
async function isQuiet({ databaseUrl }: Surroundings, gatewayId: number): Promise<boolean> {
  const open = `SELECT FROM call_note WHERE gateway_id = $1 UNION ALL SELECT FROM run WHERE gateway_id = $1 AND ended_at IS NULL`;
  return (await counted(databaseUrl, open, gatewayId)) === 0;
}

function runsOf({ databaseUrl }: Surroundings, gatewayId: number): Promise<number> {
  return counted(databaseUrl, 'SELECT FROM run WHERE gateway_id = $1', gatewayId);
}

async function counted(databaseUrl: string, rows: string, gatewayId: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(rows, [gatewayId])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/**
 * Sends a webhook until the API accepts it, and again each time the answer says when to retry, as a CRM does. Returns
 * the ms until then and the number of retries.
 */
async function answered(
  url: string,
  { body, headers }: ReturnType<typeof propstackWebhook>,
): Promise<{ tookMs: number; again: number }> {
  const startedMs = performance.now();
  for (let again = 0; ; again += 1) {
    const {
      statusCode,
      headers: told,
      body: answer,
    } = await request(url, { method: 'POST', body, headers, dispatcher: PATIENT });
    await answer.dump();
    if (statusCode === 202) return { tookMs: performance.now() - startedMs, again };
    const againSeconds = Number(told['retry-after']);
    if (![429, 503].includes(statusCode) || !(againSeconds > 0) || again > 20)
      throw new Error(`a call was answered with ${statusCode}`);
    await sleep(againSeconds * 1_000);
  }
}

async function priceOf(surroundings: Surroundings, id: number): Promise<number | undefined> {
  return (await pricesOf(surroundings)).get(id);
}

async function pricesOf({ database }: Surroundings): Promise<Map<number, number>> {
  const gateway = await database.servedGateways.find('propstack', 'bench');
  if (!gateway?.snapshot) return new Map();
  const page = await database.listings.page({ gatewayId: gateway.id, ...gateway.snapshot }, 'normalized', 0, LISTINGS);
  const listings = JSON.parse(`[${String(page ?? '')}]`) as { affId: string; prix: number }[];
  return new Map(listings.map(({ affId, prix }) => [Number(affId), prix]));
}

async function secondsUntil(isDone: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  await until(isDone);
  return (performance.now() - startedMs) / 1000;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 120_000;
  while (!(await isDone())) {
    if (Date.now() > deadlineMs) throw new Error('what was called for never came');
    await sleep(50);
  }
}

const p50 = (values: readonly number[]): number => quantile(values, 0.5);
const p95 = (values: readonly number[]): number => quantile(values, 0.95);

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
