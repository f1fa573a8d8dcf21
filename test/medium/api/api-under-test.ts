import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Database } from '@passerelle/database';
import { type LogLevel, logOptions } from '@passerelle/settings';
import type { Traces } from '@passerelle/traces';
import { generateApiKey, hashApiKey, visiblePrefix } from '@passerelle/domain';
import pino, { type DestinationStream } from 'pino';
import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../../../apps/api/src/clock';
import { type ApiConfig, parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import type { Answer } from '../../support/answer';
import { API_DOCUMENTS } from '../../support/api-documents';
import { searchOf, shortHash } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { Contract } from '../../support/contract';
import { versionsOf } from '../../support/versions-of';

/**
 * The API on a separate port, under the serving role. Real: HTTP, PostgreSQL, notifications. Fake: the ingestor; the
 * tests do its work.
 */
export interface ApiUnderTest {
  url: string;
  testDatabase: TestDatabase;
  /** The tests' own connection. */
  database: Database;
  /** Gives access to the API's own objects: `app.get(ServedListings)`. */
  app: NestFastifyApplication;
  clock: SkippingClock;
  contract: Contract;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface SendOptions {
  headers?: Record<string, string>;
  body?: string | Buffer | object;
}

export interface SeededGateway {
  id: number;
  crm: string;
  client: string;
  key: string;
  /** `crm=…&client=…` */
  query: string;
  headers: { key: string };
}

/** A clock that is ahead of the real clock by the time that a test has skipped. */
export class SkippingClock implements Clock {
  private aheadMs = 0;

  nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  monotonicMs(): number {
    return performance.now() + this.aheadMs;
  }

  skip(ms: number): void {
    this.aheadMs += ms;
  }
}

export interface StartOptions {
  firstReadWaitMs?: number;
  /** Headers that are needed to read openapi.json. */
  headers?: Record<string, string>;
  /** Replaces openapi.json if it cannot be read from the API itself. */
  description?: Contract;
  /** Destination of the log. */
  log?: DestinationStream;
  logLevel?: LogLevel;
  traces?: Traces;
  /** Whether the API answers cached pages before Nest; default: true. */
  hasFastPath?: boolean;
  /** Returns the URL by which the API reaches its database, for example through a link that can be cut. */
  wayTo?: (databaseUrl: string) => Promise<string>;
}

export async function startApi(settings: Partial<ApiConfig> = {}, options: StartOptions = {}): Promise<ApiUnderTest> {
  const { firstReadWaitMs = 300, headers = {}, description, log, wayTo, hasFastPath = true } = options;
  const { logLevel = 'info', traces } = options;
  const testDatabase = await createTestDatabase();
  const { database, url: ownUrl } = testDatabase;
  const databaseUrl = testDatabase.urlOf('serve', await wayTo?.(ownUrl));
  const config = { ...parseConfig({ DATABASE_URL: databaseUrl }), ...settings };
  const clock = new SkippingClock();
  const app = await createApp({
    ...{ config, documents: API_DOCUMENTS, clock, firstReadWaitMs, hasFastPath },
    ...(log !== undefined && { log: { logger: pino(logOptions('api', logLevel), log), answers: log } }),
    ...(traces !== undefined && { traces }),
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const agent = new Agent();
  const contract =
    description ?? new Contract(JSON.parse(await fetchText(`${url}/openapi.json`, headers, agent)) as never);

  const send = async (method: string, path: string, { headers = {}, body }: SendOptions = {}): Promise<Answer> => {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
    const response = await request(url + path, {
      method: method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      body: isJson ? JSON.stringify(body) : (body ?? null),
      dispatcher: agent,
    });
    const answer = await toAnswer(response);
    contract.check(method, path, answer);
    return answer;
  };
  return {
    url,
    testDatabase,
    database,
    app,
    clock,
    contract,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    async close() {
      await agent.close();
      await app.close();
      await testDatabase.drop();
    },
  };
}

async function toAnswer(response: Dispatcher.ResponseData): Promise<Answer> {
  const text = await response.body.text();
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  const isJson = text !== '' && headers['content-type']?.startsWith('application/json') === true;
  return { status: response.statusCode, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

async function fetchText(url: string, headers: Record<string, string>, dispatcher: Dispatcher): Promise<string> {
  const { body } = await request(url, { headers, dispatcher });
  return body.text();
}

let gateways = 0;

/** Adds a gateway with one key. Without listings, the gateway has no snapshot. */
export async function addGateway(
  database: Database,
  { crm = 'kyero', contractEnd = null, listings }: AddedGateway = {},
): Promise<SeededGateway> {
  gateways += 1;
  const client = `client-${gateways}`;
  const key = generateApiKey();
  const hash = hashApiKey(key, await database.installation.keyPepper());
  const id = await database.gateways.add(
    {
      crm,
      client,
      sourceUrl: 'https://crm.example/feed.xml',
      settings: {},
      credentials: null,
      everySeconds: null,
      contractEnd,
    },
    { hash, prefix: visiblePrefix(key) },
  );
  const gateway = { id, crm, client, key, query: `crm=${crm}&client=${client}`, headers: { key } };
  if (listings !== undefined) await publishListings(database, id, listings);
  return gateway;
}

interface AddedGateway {
  crm?: string;
  contractEnd?: string | null;
  listings?: readonly TestListing[];
}

export interface TestListing {
  affId: string;
  affNum?: string;
  /** A member of listing and raw record that the search does not index. */
  unsearched?: string;
  [field: string]: unknown;
}

/** `count` listings `L-1`, `L-2` … */
export function someListings(count: number, filler: Record<string, unknown> = {}): TestListing[] {
  return Array.from({ length: count }, (_, index) => ({
    affId: `L-${index + 1}`,
    affNum: `REF ${index + 1}`,
    passerelleName: 'kyero',
    intitule: `Maison n° ${index + 1} à Évreux`,
    prix: 100_000 + index,
    photos: [{ url: `https://photos.example/${index}.jpg`, empreinte: `e${index}` }],
    ...filler,
  }));
}

/** The raw record that belongs to a listing. */
export function rawOf({ affId, affNum, unsearched }: TestListing): object {
  return {
    affId,
    ...(affNum !== undefined && { affNum }),
    ...(unsearched !== undefined && { unsearched }),
    passerelleName: 'kyero',
    price: ['1', '000'],
    nested: { ref: affId },
  };
}

/** Acts as the ingestor: replaces all listings of the gateway with the given ones. */
export async function publishListings(
  database: Database,
  gatewayId: number,
  listings: readonly TestListing[],
): Promise<void> {
  await database.runRequests.request({ gatewayId, trigger: 'ops' });
  const fence = await database.leases.acquire(gatewayId, 'test', 60);
  if (fence === null) throw new Error('the gateway is being worked on');
  const run = await database.runs.claim(gatewayId, fence);
  if (run === null) throw new Error('there is no run to take up');
  const gateway = await database.gateways.loadForIngest(gatewayId);
  const base = gateway?.currentSnapshotId ?? null;
  const held = base === null ? [] : await versionsOf(database, gatewayId, base);
  const writer = database.snapshots.writer(gatewayId, run.id);
  const ids = await writer.addVersions(
    listings.map((listing) => ({
      affId: listing.affId,
      affNum: listing.affNum ?? null,
      scope: '',
      recordHash: '',
      contentHash: listing.affId,
      revision: null,
      fill: 0,
      empreinte: shortHash(JSON.stringify(listing)),
      photosEmpreinte: null,
      normalized: Buffer.from(JSON.stringify(listing)),
      raw: Buffer.from(JSON.stringify(rawOf(listing))),
      search: searchOf(JSON.stringify(listing)),
    })),
  );
  const previous = new Map(held.map((version) => [version.affId, version.id]));
  const wanted = new Set(listings.map(({ affId }) => affId));
  const changes = listings.map(({ affId }, index) => ({
    kind: previous.has(affId) ? ('changed' as const) : ('added' as const),
    affId,
    versionId: ids[index] ?? null,
    previousVersionId: previous.get(affId) ?? null,
    reason: null,
  }));
  const removals = held
    .filter(({ affId }) => !wanted.has(affId))
    .map(({ affId, id }) => ({
      kind: 'removed' as const,
      affId,
      versionId: null,
      previousVersionId: id,
      reason: 'absent' as const,
    }));
  const snapshotId = await writer.finish(ids, [...changes, ...removals]);
  const figures = {
    fetchedBytes: 0,
    records: listings.length,
    added: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    rejected: 0,
    warnings: 0,
  };
  await database.snapshots.publish({
    runId: run.id,
    gatewayId,
    fence,
    snapshotId,
    baseSnapshotId: base,
    figures,
    feedMemory: {},
  });
  await database.leases.release(gatewayId, fence);
}
