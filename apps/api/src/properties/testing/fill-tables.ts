import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import type { PublishedSnapshot, PaginationSessionStore } from '@passerelle/database';
import pino from 'pino';
import type { Clock } from '../../clock';
import { acceptsGzip } from '../../http/compression';
import { type PageQuery, pageRequest, readerOf } from '../parameters';
import { PaginationSessions } from '../pagination-sessions';
import { GatewayAccess } from '../../access/gateway-access';
import { GatewayCache } from '../../access/gateway-cache';
import { LimitStore } from '../../access/limit-store';
import { RateLimit } from '../../access/rate-limit';
import { RefusedKeys } from '../../access/refused-keys';

const REQUESTS = 100_000;
const LONG = 'a'.repeat(15_000);

/** A text as it comes from a socket: a concatenated string would share the memory of its parts. */
function long(n: number): string {
  return Buffer.from(`${LONG}${n}`).toString('latin1');
}

/** Objects that must not be collected before the measurement. */
const kept: object[] = [];

/** Fills every table that a request without a key can fill, and prints the growth of the heap. */
async function main(): Promise<void> {
  const logger = pino({ level: 'silent' });
  let nowMs = 0;
  // Refusals wait for a minimum time. By this clock the time is already over, so they do not wait.
  const clock = { nowMs: () => 0, monotonicMs: () => (nowMs += 0.0001) };
  const store = new LimitStore({ redisUrl: null, redisPrefix: 'test' }, clock, logger);
  const refused = new RefusedKeys({ refusedKeysPerMinute: 1_000 }, store, logger);
  const limit = new RateLimit({ rateLimitPerMinute: 600 }, store);
  const cache = new GatewayCache({ find: () => Promise.resolve(null) }, clock, { walkSeconds: 900 });
  cache.setListening(true);
  const access = new GatewayAccess(cache, { matching: () => [], knows: () => true }, clock, refused, {
    note: () => undefined,
  } as never);
  kept.push(store, refused, limit, cache, access);
  const before = heapMb();
  for (let start = 0; start < REQUESTS; start += 5_000) {
    await Promise.all(
      Array.from({ length: 5_000 }, async (_, index) => {
        const n = start + index;
        const address = `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;
        const client = n % 2 === 0 ? long(n) : `client-${String(n)}-${'x'.repeat(40)}`;
        await access.open('kyero', client, LONG, { address, requestId: 'r', use: 'read' }).catch(() => undefined);
        await limit.count(n, address);
        // A trusted proxy may pass on a text that is not an address.
        if (n % 20 === 0) await refused.refusal(long(n));
      }),
    );
  }
  paginate(clock);
  const heap = heapMb() - before;
  const ahead = heapMb();
  for (let n = 0; n < 1_000; n += 1) acceptsGzip(long(n));
  const headers = heapMb() - ahead;
  const figures = {
    heapMb: heap,
    headersMb: headers,
    refusedNetworks: networksOf(refused),
    requestNetworks: networksOf(limit),
  };
  process.stdout.write(JSON.stringify(figures));
  process.exit(0);
}

/** Requests pages as readers of fifty gateways, with a right key and user agents of 15,000 letters. */
function paginate(clock: Clock): void {
  const sessions = new PaginationSessions({} as PaginationSessionStore, { walkSeconds: 900 }, clock);
  kept.push(sessions);
  const query = { crm: 'kyero', client: 'demo', format: 'normalized', page: 1, per_page: 50 } as PageQuery;
  for (let n = 0; n < 50 * 200; n += 1) {
    const requester = { key: 'psr_key', address: '192.0.2.1', userAgent: long(n) };
    const current = { id: 1, total: 500 } as PublishedSnapshot;
    sessions.see(
      n % 50,
      current,
      pageRequest(query, () => readerOf(query, requester)),
    );
  }
}

/** The tables are private; only this measurement accesses them. */
function networksOf(of: object): unknown {
  return 'counts' in of && typeof of.counts === 'object' && of.counts !== null && 'names' in of.counts
    ? of.counts.names
    : null;
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

void main();
