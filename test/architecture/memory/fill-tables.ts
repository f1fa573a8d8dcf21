import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { Outage } from '../../../apps/api/src/metrics/outage';
import { ApiKeyUsage } from '../../../apps/api/src/access/api-key-usage';
import { InvalidTokenLimiter } from '../../../apps/ingestor/src/access/invalid-token-limiter';
import { RefreshRequests } from '../../../apps/api/src/properties/refresh-requests';
import { PaginationSessions } from '../../../apps/api/src/properties/pagination-sessions';
import { FoundTexts } from '../../../apps/api/src/search/found-texts';
import { ChunkCache } from '../../../libs/database/src/listing/chunk-cache';
import { UnwrittenSessions } from '../../../libs/database/src/pagination/unwritten-sessions';
import { createSizeFinder } from '../../../libs/media/src/sizes';
import { PHOTO_WIDTHS } from '../../../libs/media/src/photo-name';
import { NO_TRACES } from '@passerelle/traces';
import pino from 'pino';

// Some tables hold more gateways, keys, networks or photos than a test can create over HTTP. This process fills each of
// them beyond its limit by calling its class directly. Fake: the collaborators of each class, which accept every key.
const logger = pino({ level: 'silent' });
const clock = { nowMs: () => 0, monotonicMs: () => 0 };
/** More entries than any table holds. */
const BEYOND = 110_000;
const LONG = 'a'.repeat(3_000);

/** References that keep the tables in memory until they are measured. */
const kept: unknown[] = [];

const TABLES: Readonly<Record<string, () => Promise<unknown>>> = {
  'apps/api/src/access/api-key-usage.ts': () => {
    const uses = { note: () => Promise.resolve(), leave: () => Promise.resolve() };
    const hashes = { isCurrent: () => true };
    const keys = new ApiKeyUsage(uses, hashes, { secretsKey: null }, clock, new Outage(logger), logger);
    for (let id = 0; id < BEYOND; id += 1) keys.note({ id } as never, 'key');
    return Promise.resolve(keys);
  },
  'apps/api/src/properties/seen-sessions.ts': () => {
    const walks = new PaginationSessions({} as never, { walkSeconds: 900 }, clock);
    for (let n = 0; n < BEYOND; n += 1) {
      const requester = { key: 'psr_key', address: '192.0.2.1', userAgent: `${LONG}${n}` };
      const reader = { ...requester, crm: 'kyero', client: 'demo', format: 'raw', perPage: 50 };
      walks.see(n % 5_000, { id: 1, total: 500 } as never, { reader: () => reader, page: 1, perPage: 50 });
    }
    return Promise.resolve(walks);
  },
  'apps/api/src/properties/refresh-requests.ts': async () => {
    const runs = { requestForReader: () => Promise.resolve(null) };
    const requests = new RefreshRequests(runs, clock, logger, new Outage(logger), NO_TRACES);
    for (let id = 0; id < BEYOND; id += 1) requests.ask({ id, crm: 'kyero', client: 'demo' }, 'stale-read', 'r');
    await new Promise(setImmediate);
    return requests;
  },
  'apps/api/src/properties/pagination-sessions.ts': () => {
    const walks = new PaginationSessions({} as never, { walkSeconds: 900 }, clock);
    for (let id = 0; id < BEYOND; id += 1) walks.expect(id);
    return Promise.resolve(walks);
  },
  'libs/database/src/pagination/unwritten-sessions.ts': () => {
    const walks = new UnwrittenSessions();
    for (let id = 0; id < BEYOND; id += 1) {
      walks.set(id, Buffer.alloc(32, id), { snapshotId: id, firstMs: 1.5, lastFirstMs: id + 0.5, finishedMs: null });
    }
    return Promise.resolve(walks);
  },
  'libs/database/src/listing/chunk-cache.ts': async () => {
    const chunks = new ChunkCache();
    const ids = (): number[] => Array.from({ length: 200 }, (_, n) => 2 ** 33 + n);
    const pool = { query: () => Promise.resolve({ rows: [[ids()]] }) };
    for (let id = 0; id < 7_000; id += 1) {
      await chunks.load(pool as never, { gatewayId: 1, id, token: randomBytes(12).toString('base64url') }, 0);
    }
    return chunks;
  },
  'apps/api/src/search/found-texts.ts': async () => {
    // Short texts make the overhead of each entry visible.
    const textsOfVersions = (_: unknown, ids: readonly number[]): Promise<Buffer[]> =>
      Promise.resolve(ids.map(() => Buffer.allocUnsafeSlow(300)));
    const texts = new FoundTexts({ textsOfVersions }, { listenerReconnects: 0 }, 32 * 1024 * 1024);
    for (let id = 0; id < BEYOND; id += 1) await texts.load({ gatewayId: 1, id: 1 }, [id], 'normalized');
    return texts;
  },
  'libs/limits/src/minute-counts.ts': () => {
    const guesses = new InvalidTokenLimiter(logger);
    for (let n = 0; n < BEYOND; n += 1)
      guesses.note(`2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`);
    return Promise.resolve(guesses);
  },
  'libs/media/src/sizes.ts': async () => {
    const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const store = {
      find: (name: string) => Promise.resolve(name.includes('-') ? null : {}),
      read: () => Promise.resolve(Readable.from([photo])),
    };
    const find = createSizeFinder(store as never);
    for (let n = 0; n < 2_600; n += 1) {
      // A slice keeps the whole long text in memory, as a slice of a request's URL does.
      const token = `${LONG}${n.toString(16).padStart(64, '0')}`.slice(LONG.length);
      for (const width of PHOTO_WIDTHS) {
        await find({ photo: { token, extension: 'jpg', width: null }, width, format: 'jpg' });
      }
    }
    return find;
  },
};

async function main(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const measured: Record<string, number> = {};
  for (const [file, fill] of Object.entries(TABLES)) {
    const before = heldMb();
    kept.push(await fill());
    measured[file] = heldMb() - before;
  }
  process.stdout.write(JSON.stringify(measured));
  process.exit(0);
}

function heldMb(): number {
  // Two calls, because the first collection frees buffers only after it has ended.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

void main();
