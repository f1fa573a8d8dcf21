import { setTimeout as sleep } from 'node:timers/promises';
import { generateWebhookSecret, SecretBox, WEBHOOK_EVENTS } from '@passerelle/domain';
import type { WebhookEndpoints } from '@passerelle/database';
import pg from 'pg';
import { restartIngestor, killBackend, killIngestor, startMortalRedis } from './restarted-processes';
import {
  addNotifiedGateways,
  connectionsTo,
  publishEmpty,
  notifyHeld,
  NOTIFIED_SECRETS_KEY,
} from './notified-gateways';
import { type StrictSite, startStrictSite } from './strict-site';

const GATEWAYS = 30;
const INGESTORS = 3;
const EVENTS_EVERY_MS = 40;
/** The number of kills after which one endpoint is removed and replaced by another. */
const MOVED_AFTER = 25;
const SETTLED_MS = 180_000;

/** Kinds that occur more often are killed more often. */
const VICTIMS = ['ingestor', 'ingestor', 'ingestor', 'redis', 'postgres'] as const;
type Victim = (typeof VICTIMS)[number];

/** The messages that sites received while the senders were killed. */
export interface KilledSenders {
  kills: Record<Victim, number>;
  /** Messages that had to arrive according to the database. */
  due: number;
  /** Due messages that no site has received. */
  lost: string[];
  /** Confirmed publications for which no message was ever stored. */
  untold: string[];
  /** Requests without a valid signature. */
  unsigned: number;
  /** Requests to a removed endpoint, or to an endpoint of another gateway. */
  foreign: number;
  /** Messages that arrived before an older message for the same endpoint. */
  disordered: number;
  arrivals: number;
  doubled: number;
}

/**
 * Publishes lists, whose webhooks notify sites, and kills random processes meanwhile: ingestors, Redis (it loses the
 * queue) and processes of PostgreSQL (it closes all connections).
 * @param everyMs the average time between two kills
 * @param spared a kind of process to spare, because other tests use it too: after a kill, PostgreSQL closes the
 * connections of all databases
 */
export async function killSenders({
  databaseUrl,
  webhookEndpoints,
  kills,
  everyMs,
  spared,
}: {
  databaseUrl: string;
  webhookEndpoints: WebhookEndpoints;
  kills: number;
  everyMs: number;
  spared?: Victim;
}): Promise<KilledSenders> {
  const victims = VICTIMS.filter((victim) => victim !== spared);
  const pool = connectionsTo(databaseUrl, 8);
  const site = await startStrictSite();
  const setUp = new pg.Client({ connectionString: databaseUrl });
  await setUp.connect();
  const { gateways, secret } = await addNotifiedGateways(setUp, {
    count: GATEWAYS,
    urlOf: (n) => `http://${site.host}/${n}`,
  });
  await setUp.end();
  for (const [n, { client }] of gateways.entries()) site.places.set(`/${n}`, { secret, client, removedAtMs: Infinity });
  const redis = await startMortalRedis();
  const env = {
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SECRETS_KEY: NOTIFIED_SECRETS_KEY },
    ...{ ALLOW_PRIVATE_SOURCES: site.host, LOG_LEVEL: 'fatal', NODE_ENV: 'production' },
  };
  const state = { isOver: false };
  const ingestors = Array.from({ length: INGESTORS }, () => restartIngestor(env));
  const confirmed: string[] = [];
  const publishing = publishUntil(
    state,
    pool,
    gateways.map(({ id }) => id),
    confirmed,
  );
  const done: Record<Victim, number> = { ingestor: 0, redis: 0, postgres: 0 };
  let moved = 0;
  try {
    for (let total = 0; total < kills;) {
      await sleep(everyMs * (0.5 + Math.random()));
      const victim = victims[Math.floor(Math.random() * victims.length)]!;
      const isKilled =
        victim === 'ingestor'
          ? killIngestor(ingestors)
          : victim === 'redis'
            ? await redis.kill()
            : await killBackend(pool).catch(() => false);
      if (!isKilled) continue;
      total += 1;
      done[victim] += 1;
      if (total % MOVED_AFTER !== 0) continue;
      const gateway = gateways[moved % gateways.length]!;
      await insist(() => webhookEndpoints.remove(gateway.id, gateway.endpointId));
      site.places.get(`/${moved}`)!.removedAtMs = Date.now();
      const another = { secret: generateWebhookSecret(), client: gateway.client, removedAtMs: Infinity };
      const path = `/another/${moved}`;
      site.places.set(path, another);
      const sealed = new SecretBox(NOTIFIED_SECRETS_KEY).seal(another.secret);
      const url = `http://${site.host}${path}`;
      await insist(() => webhookEndpoints.add({ gatewayId: gateway.id, url, events: WEBHOOK_EVENTS, secret: sealed }));
      moved = (moved + 1) % gateways.length;
    }
    state.isOver = true;
    await publishing;
    await settled(pool);
    return { kills: done, ...(await insist(() => judge(pool, site, confirmed))) };
  } finally {
    state.isOver = true;
    await Promise.all(ingestors.map(({ end }) => end()));
    await redis.end();
    await pool.end();
    await site.close();
  }
}

/**
 * Publishes lists of all gateways one after the other, with state messages in between. No state message replaces an
 * earlier one.
 */
async function publishUntil(
  state: { isOver: boolean },
  pool: pg.Pool,
  gatewayIds: readonly number[],
  confirmed: string[],
): Promise<void> {
  for (let n = 0; !state.isOver; n += 1) {
    await sleep(EVENTS_EVERY_MS);
    const gatewayId = gatewayIds[n % gatewayIds.length]!;
    const round = Math.floor(n / gatewayIds.length) % 4;
    try {
      if (round % 2 === 0) confirmed.push(await publishEmpty(pool, gatewayId));
      else await notifyHeld(pool, gatewayId, round === 1);
    } catch {
      // The commit is unconfirmed, so its result is unknown.
      await sleep(100);
    }
  }
}

/** Repeats the work while PostgreSQL is unavailable. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 100) throw error;
      await sleep(200);
    }
  }
}

async function settled(pool: pg.Pool): Promise<void> {
  const deadlineMs = Date.now() + SETTLED_MS;
  const pending = (): Promise<number> =>
    insist(async () => {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM outbox WHERE state = 'pending'`,
      );
      return rows[0]?.count ?? 0;
    });
  while ((await pending()) > 0 && Date.now() < deadlineMs) await sleep(500);
}

async function judge(
  pool: pg.Pool,
  site: StrictSite,
  confirmed: readonly string[],
): Promise<Omit<KilledSenders, 'kills'>> {
  const { rows } = await pool.query<{ messageId: string; state: string; path: string }>(
    `SELECT d.message_id AS "messageId", d.state, substring(e.url FROM '://[^/]+(.*)') AS path
     FROM outbox d JOIN webhook_endpoint e ON e.id = d.endpoint_id ORDER BY d.id`,
  );
  const due = rows.filter(({ state }) => state !== 'superseded');
  const seen = new Set(site.arrivals.map(({ path, id }) => `${path} ${id}`));
  const { rows: tokens } = await pool.query<{ token: string }>(
    `SELECT data ->> 'snapshot' AS token FROM outbox WHERE type = 'list.published'`,
  );
  const told = new Set(tokens.map(({ token }) => token));
  const orderOf = new Map(rows.map(({ messageId, path }, index) => [`${path} ${messageId}`, index]));
  let disordered = 0;
  const newest = new Map<string, number>();
  for (const key of seen) {
    const path = key.split(' ')[0]!;
    const order = orderOf.get(key) ?? -1;
    if (order === -1) continue;
    if (order < (newest.get(path) ?? -1)) disordered += 1;
    newest.set(path, Math.max(order, newest.get(path) ?? -1));
  }
  return {
    due: due.length,
    lost: due.filter(({ path, messageId }) => !seen.has(`${path} ${messageId}`)).map(({ messageId }) => messageId),
    untold: confirmed.filter((token) => !told.has(token)),
    ...{ unsigned: site.unsigned, foreign: site.foreign, disordered },
    ...{ arrivals: site.arrivals.length, doubled: site.arrivals.length - seen.size },
  };
}
