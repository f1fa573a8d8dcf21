import { createHash } from 'node:crypto';
import type { Database } from '@passerelle/database';
import { generateApiKey, generateWebhookToken, hashApiKey, SecretBox, visiblePrefix } from '@passerelle/domain';
import pg from 'pg';
import { arriving } from '../simulated/apis/unreliable-requests';
import { createRandom } from '../../tools/simulator/random';
import { WEBHOOK_CRMS, type WebhookCrmName } from './webhook-crms';
import { aFreePort } from './free-port';
import { GatewayClient } from './gateway-client';
import { type Program, startProgram, untilReady } from './program';
import type { TestDatabase } from './test-database';
import { untilServed } from './until-served';
import { until } from './waiting';

const LISTINGS = 200;
/** The highest number of a listing. Changes of numbers above `LISTINGS` add new listings. */
const NUMBERS = 250;
const SECRETS_KEY = 'the-key-of-the-calls-that-are-lost-0123';
const CALLS_AT_ONCE = 8;
/**
 * The number of webhooks after which the test waits for their run. Webhooks that are lost later then concern listings
 * that were already read.
 */
const CALLS_A_RUN = 13 * CALLS_AT_ONCE;

const A_DAY_LATER = `
  UPDATE gateway SET feed_memory = jsonb_set(feed_memory, '{comparedAt}', to_jsonb(now() - interval '25 hours')) WHERE id = $1`;
const A_WEEK_LATER = `UPDATE called_listing SET confirmed_at = confirmed_at - interval '7 days' WHERE gateway_id = $1`;

/** The effects of a CRM whose webhooks are lost, doubled and out of order. */
export interface UnreliableCrm {
  changes: number;
  lost: number;
  /** Webhooks that arrived twice; each was answered with 202. */
  doubled: number;
  late: number;
  /** The number of runs that the webhooks caused. */
  runs: number;
  /** Listings on the API that differ from those of the CRM, before and after the comparison. */
  differing: { before: string[]; after: string[] };
  /** Changes that no webhook named, as the comparison reports. */
  missed: number;
}

/**
 * Changes a CRM the given number of times, sends unreliable webhooks for the changes over HTTP, and then runs one
 * comparison: with the CRM's list, or listing by listing if the CRM has no list.
 */
export async function sendUnreliably(
  { database, databaseUrl }: { database: Database; databaseUrl: string },
  name: WebhookCrmName,
  changes: number,
  seed: number,
): Promise<UnreliableCrm> {
  const crm = await WEBHOOK_CRMS[name](LISTINGS);
  const key = generateApiKey();
  const box = new SecretBox(SECRETS_KEY);
  const gatewayId = await database.gateways.add(
    {
      ...{ crm: crm.crm, client: 'unreliable', sourceUrl: crm.sourceUrl, everySeconds: null },
      // Disable the gate's limits, because lost changes may exceed them.
      settings: { 'max-vanished-share': '1', 'max-replaced-share': '1' },
      ...{ credentials: box.seal(JSON.stringify(crm.credentials)), contractEnd: null },
    },
    { hash: hashApiKey(key, await database.installation.keyPepper()), prefix: visiblePrefix(key) },
  );
  const token = generateWebhookToken();
  const hash = createHash('sha256').update(token).digest();
  await database.inboundWebhookUrls.open(
    gatewayId,
    { hash, prefix: 'psc_u', secret: crm.isSigned ? box.seal(token) : null },
    0,
  );
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const env = { DATABASE_URL: databaseUrl, SECRETS_KEY, ALLOW_PRIVATE_SOURCES: crm.host, LOG_LEVEL: 'warn' };
  const programs: Program[] = [];
  const start = async (app: string): Promise<string> => {
    const port = await aFreePort();
    const ports = { PORT: String(port), OPS_PORT: String(port) };
    const program = startProgram(`apps/${app}/src/main.js`, { ...env, ...ports, NODE_ENV: 'production' });
    programs.push(program);
    await untilReady(program, `http://127.0.0.1:${port}/health/ready`);
    return `http://127.0.0.1:${port}`;
  };
  const isQuiet = async (): Promise<boolean> => {
    const { rows } = await client.query<{ isQuiet: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM call_note WHERE gateway_id = $1)
          AND NOT EXISTS (SELECT FROM run WHERE gateway_id = $1 AND ended_at IS NULL) AS "isQuiet"`,
      [gatewayId],
    );
    return rows[0]?.isQuiet === true;
  };
  const runsSince = async (id: number): Promise<{ id: number; state: string }[]> =>
    (
      await client.query<{ id: number; state: string }>(
        'SELECT id::integer, state FROM run WHERE gateway_id = $1 AND id > $2 ORDER BY id',
        [gatewayId, id],
      )
    ).rows;

  try {
    await start('ingestor');
    const api = await start('api');
    const gateway = new GatewayClient(api, { crm: crm.crm, client: 'unreliable', key });
    const query: TestDatabase['query'] = async (sql, values) => (await client.query(sql, values)).rows as never;
    const differing = async (): Promise<string[]> => {
      // The API needs a moment to receive the notification of a publication.
      await untilServed({ query }, { crm: crm.crm, client: 'unreliable', key }, [api]);
      const there = new Map((await gateway.readAll('normalized', 200)).map(({ affId, prix }) => [affId, prix]));
      return [...new Set([...there.keys(), ...crm.prices.keys()])].filter((id) => there.get(id) !== crm.prices.get(id));
    };
    const callAll = async (ids: readonly number[]): Promise<void> => {
      await Promise.all(ids.map((id) => call(`${api}/in/${token}`, crm.webhookOf(id, token))));
    };
    if (crm.hasList) await database.runRequests.request({ gatewayId, trigger: 'ops' });
    else await callAll([...crm.prices.keys()].map(Number));
    await until(isQuiet);
    const beforeCalls = (await runsSince(0)).at(-1)?.id ?? 0;

    const random = createRandom(seed, 'unreliable-crm');
    const made = Array.from({ length: changes }, (_, index) => ({ index, id: random.integer(1, NUMBERS) }));
    const change = ({ id }: { id: number }): void => {
      crm.change(id, random.chance(0.1) ? null : random.rounded(100_000, 900_000, 1_000));
    };
    const calls = arriving(made, { lost: 0.3, doubled: 0.3, late: 0.3 }, random);
    let changed = 0;
    for (let n = 0; n < calls.length; n += CALLS_AT_ONCE) {
      const some = calls.slice(n, n + CALLS_AT_ONCE);
      // First make all changes up to the newest of these webhooks, because a webhook never precedes its change.
      for (const newest = Math.max(...some.map(({ index }) => index)); changed <= newest; changed += 1)
        change(made[changed]!);
      await callAll(some.map(({ id }) => id));
      if ((n + CALLS_AT_ONCE) % CALLS_A_RUN === 0) await until(isQuiet);
    }
    for (; changed < changes; changed += 1) change(made[changed]!);
    await until(isQuiet);
    const before = await differing();
    const called = await runsSince(beforeCalls);

    await client.query(crm.hasList ? A_DAY_LATER : A_WEEK_LATER, [gatewayId]);
    const comparison = await database.runRequests.request({ gatewayId, trigger: 'schedule' });
    await until(isQuiet);
    const after = await differing();
    const { rows } = await client.query<{ count: number }>(
      `SELECT coalesce(sum(count), 0)::integer AS count FROM run_warning WHERE run_id = $1 AND code = 'missed_call'`,
      [comparison],
    );
    const arrived = new Set(calls.map(({ index }) => index));
    return {
      ...{ changes, lost: changes - arrived.size, doubled: calls.length - arrived.size, late: lateOf(calls) },
      ...{ runs: called.length, differing: { before, after }, missed: rows[0]?.count ?? 0 },
    };
  } finally {
    for (const program of programs.reverse()) await program.stop();
    await client.end();
    await crm.close();
  }
}

async function call(url: string, content: { body: string; headers: Record<string, string> }): Promise<void> {
  const answer = await fetch(url, { method: 'POST', ...content });
  await answer.arrayBuffer();
  if (answer.status !== 202) throw new Error(`a call was answered with ${answer.status}`);
}

/** The number of webhooks that arrived after a newer webhook. */
function lateOf(calls: readonly { index: number }[]): number {
  let newest = -1;
  let late = 0;
  for (const { index } of calls) {
    if (index < newest) late += 1;
    newest = Math.max(newest, index);
  }
  return late;
}
