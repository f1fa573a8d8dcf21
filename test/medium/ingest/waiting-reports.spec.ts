import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bucket, openBucket, parseBucketUrl } from '@passerelle/bucket';
import { type Database, openDatabase } from '@passerelle/database';
import { SecretBox } from '@passerelle/domain';
import { pino } from 'pino';
import { WaitingReports } from '../../../apps/ingestor/src/pending-reports';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../support/media/s3-server';
import { addGateway } from '../api/api-under-test';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/waiting';

const SECRETS_KEY = 'what sealed the reports of the previous release';
const REPORT = { status: 'success', count: 3, message: null, siteUrl: 'https://agency.example', snapshot: null };

// Real: PostgreSQL, an S3 server. Fake: the API of the previous release, which put the reports into the bucket.
describe('reports of the previous release in the bucket of PAGES_BUCKET_URL', () => {
  let db: TestDatabase;
  let database: Database;
  let server: S3Server;
  let bucket: Bucket;
  const folder = mkdtempSync(join(tmpdir(), 'waiting-reports-'));

  beforeAll(async () => {
    Object.assign(process.env, S3_CREDENTIALS);
    [db, server] = await Promise.all([createTestDatabase(), startS3Server(folder, ['pages'])]);
    database = await openDatabase({ url: db.url, applicationName: 'test' });
    bucket = openBucket(parseBucketUrl(server.url('pages', 'lists'), 'PAGES_BUCKET_URL'), 'pages');
  });
  afterAll(async () => {
    bucket.close();
    await database.close();
    await Promise.all([db.drop(), server.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const put = (id: string, gatewayId: number, key = SECRETS_KEY): Promise<void> => {
    const report = { ...{ added: null, updated: null, removed: null, failed: null, plugin: null }, ...REPORT };
    const waiting = { id, gatewayId, receivedAt: '2026-05-01T10:00:00.000Z', report };
    const sealed = new SecretBox(key).seal(JSON.stringify({ kind: 'report', report: waiting }));
    return bucket.put(`reports/${waiting.receivedAt}-${id}`, sealed);
  };
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of bucket.list('reports/')) found.push(name);
    return found;
  };
  /** Starts an ingestor, and stops it when the bucket has only this number of objects left. */
  const startUntil = async (left: number): Promise<void> => {
    const config = { pagesBucketUrl: server.url('pages', 'lists') };
    const log = pino({ level: 'silent' });
    const reports = new WaitingReports(config, new SecretBox(SECRETS_KEY), database.reports, log);
    reports.onApplicationBootstrap();
    await until(async () => (await names()).length === left);
    await reports.onApplicationShutdown();
  };

  it('are stored once and removed from the bucket, but stay in the bucket when they are sealed with another key', async () => {
    const { id: gatewayId } = await addGateway(database);
    const id = '5d0b9a0e-8b2e-4b5c-9d52-7a4f6a1f0c11';
    await put(id, gatewayId);
    await startUntil(0);
    // Simulates a second ingestor that read the report before its removal.
    await put(id, gatewayId);
    await put('0f6f3f3c-0d0f-4a9c-8f0e-1c2d3e4f5a6b', gatewayId, 'another key of another installation');
    await startUntil(1);

    const rows = await db.query('SELECT status, count, site_url FROM report WHERE gateway_id = $1', [gatewayId]);
    expect(rows).toEqual([{ status: 'success', count: 3, site_url: 'https://agency.example' }]);
    expect(await names()).toEqual([expect.stringContaining('0f6f3f3c')]);
  });
});
