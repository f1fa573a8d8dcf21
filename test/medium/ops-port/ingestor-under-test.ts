import type { AddressInfo } from 'node:net';
import type { Connector } from '@passerelle/connectors';
import type { Database } from '@passerelle/database';
import type { QueueConnection } from '@passerelle/queue';
import { pino } from 'pino';
import { Agent, type Dispatcher, request } from 'undici';
import { type IngestorConfig, parseConfig } from '../../../apps/ingestor/src/config';
import { createApp } from '../../../apps/ingestor/src/create-app';
import { QUEUE_CONNECTION } from '../../../apps/ingestor/src/tokens';
import { connector as kyero } from '../../../libs/connectors/src/sources/kyero/connector';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import type { Answer } from '../../support/answer';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/**
 * The ingestor on its own port, under the ingesting role. Real: HTTP, PostgreSQL, the queue on it, the runs. Fake:
 * the CRM.
 */
export interface IngestorUnderTest {
  url: string;
  testDatabase: TestDatabase;
  /** The test's own connection. It stays open when the ingestor's connection is cut. */
  database: Database;
  crm: FeedServer;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Adds a gateway with the fake CRM as its source. Its next run is due in an hour. */
  addGateway(gateway?: {
    crm?: string;
    client?: string;
    sourceUrl?: string;
    contractEnd?: string | null;
  }): Promise<number>;
  close(): Promise<void>;
}

export interface SendOptions {
  headers?: Record<string, string>;
  body?: string | object;
}

export const OPS_TOKEN = 'the-token-of-the-operators';
export const BEARER = { authorization: `Bearer ${OPS_TOKEN}` };

/** One connector under two names is enough. The ingestor uses no connector folder of other tests. */
const CONNECTORS: readonly Connector[] = [kyero, { ...kyero, code: 'other' }];
/** @param prepare sets up the database before the ingestor starts */
export async function startIngestor(
  settings: Partial<IngestorConfig> = {},
  prepare: (database: TestDatabase) => Promise<void> = () => Promise.resolve(),
  connectors: readonly Connector[] = CONNECTORS,
): Promise<IngestorUnderTest> {
  const testDatabase = await createTestDatabase();
  await prepare(testDatabase);
  const crm = await startFeedServer();
  const config = {
    ...parseConfig({ DATABASE_URL: testDatabase.urlOf('ingest'), ALLOW_PRIVATE_SOURCES: crm.hostAndPort, OPS_TOKEN }),
    ...settings,
  };
  const registry = { list: () => connectors, get: (given: string) => connectors.find(({ code }) => code === given) };
  const app = await createApp({ config, registry, log: pino({ level: 'silent' }) });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const agent = new Agent();

  const send = async (method: string, path: string, { headers = {}, body }: SendOptions = {}): Promise<Answer> => {
    const response = await request(url + path, {
      method: method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      dispatcher: agent,
    });
    return toAnswer(response);
  };
  return {
    url,
    testDatabase,
    database: testDatabase.database,
    crm,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    async addGateway({ crm: code = 'kyero', client = 'agency', sourceUrl = crm.url, contractEnd = null } = {}) {
      const id = await testDatabase.database.gateways.add(
        {
          ...{ crm: code, client, sourceUrl, settings: {} },
          ...{ credentials: null, everySeconds: 3600, contractEnd },
        },
        { hash: Buffer.alloc(32), prefix: 'psr_x' },
      );
      await testDatabase.query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 hour'`);
      return id;
    },
    async close() {
      await agent.close();
      await app.close();
      await app.get<QueueConnection>(QUEUE_CONNECTION).close();
      await crm.close();
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
