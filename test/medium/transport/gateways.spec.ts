import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRegistry, type OutboundPolicy } from '@passerelle/connectors';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { opsTerminal, SECRETS_KEY } from '../ops/ops-terminal';
import { FtpServer } from './ftp-server';
import { recogniseNativeErrors } from './native-errors';
import { SftpServer } from './sftp-server';

recogniseNativeErrors();

// Real: the command line, PostgreSQL, the run, the connector, HTTP, FTP and SFTP. The servers' files are in memory.
describe('gateway with a feed on a server', () => {
  let crm: FeedServer;
  const ftp = new FtpServer();
  const sftp = new SftpServer();
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase();
    crm = await startFeedServer();
    await ftp.listen();
    await sftp.listen();
  });
  afterAll(async () => {
    await crm.close();
    await ftp.close();
    await sftp.close();
    await db.drop();
  });

  async function runOf(client: string, policy: Partial<OutboundPolicy> = {}): Promise<object | null> {
    const registry = await loadRegistry();
    const { id: gatewayId } = (await db.database.gateways.find('kyero', client)) ?? { id: 0 };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const outbound = {
      allowPrivate: new Set([`127.0.0.1:${ftp.port}`, `127.0.0.1:${sftp.port}`, crm.hostAndPort]),
      ...{ idleTimeoutMs: 3_000, settleMs: 20, ...policy },
    };
    await runWaiting(db.database, gatewayId, { registry, outbound, secretsKey: SECRETS_KEY });
    return db.database.runHistory.find(runId);
  }

  it.each([
    ['ftp', ftp, 'kyero.xml'],
    ['sftp', sftp, '/kyero.xml'],
  ])(
    'is added, is published, stays unchanged, and keeps its list when the %s server fails',
    async (scheme, server, path) => {
      const registry = await loadRegistry();
      const env = { ALLOW_PRIVATE_SOURCES: `127.0.0.1:${server.port}` };
      const { json } = opsTerminal(db.url, { connectors: [...registry.list()], env });
      const source = `${scheme}://127.0.0.1:${server.port}/kyero.xml`;
      const added = await json(
        ...['gateway', 'add', '--crm', 'kyero', '--client', scheme, '--source', source],
        ...['--credential', 'username=agence', '--credential', 'password=p@ss'],
      );
      expect(added).toMatchObject({ exitCode: 0, err: '' });

      server.serve(path, aKyeroFeed(ids(8).map((id) => aProperty(id))));
      expect(await runOf(scheme)).toMatchObject({ state: 'published', added: 8 });
      expect(await runOf(scheme)).toMatchObject({ state: 'unchanged', unchanged: 8, fetched_bytes: 0 });
      server.files.delete(path);
      expect(await runOf(scheme)).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining(`there is no file ${source}`),
      });
      expect((await db.database.servedGateways.find('kyero', scheme))?.snapshot?.total).toBe(8);
    },
  );

  it('does not publish a half-written file from the inbox, and publishes the complete file later', async () => {
    const registry = await loadRegistry();
    const { json } = opsTerminal(db.url, { connectors: [...registry.list()] });
    await json(...['gateway', 'add', '--crm', 'kyero', '--client', 'inbox', '--source', 'file:kyero.xml']);
    const inboxDir = mkdtempSync(join(tmpdir(), 'inbox-'));
    const policy = { inboxDir, settleMs: 2_000 };
    const file = join(inboxDir, 'kyero.xml');
    const feed = aKyeroFeed(ids(8).map((id) => aProperty(id)));
    try {
      writeFileSync(file, feed.slice(0, feed.length / 2));
      // The file looks complete, because it has not changed for 4 seconds.
      utimesSync(file, new Date(), new Date(Date.now() - 4_000));
      const running = runOf('inbox', policy);
      setTimeout(() => {
        appendFileSync(file, feed.slice(feed.length / 2));
      }, 4_000);
      expect(await running).toMatchObject({ state: 'failed', reason: 'file:kyero.xml is still being written' });
      expect(await runOf('inbox', policy)).toMatchObject({ state: 'published', added: 8 });
    } finally {
      rmSync(inboxDir, { recursive: true });
    }
  });

  it('sends a bearer token, a header and a parameter over HTTP, and shows none of them', async () => {
    const registry = await loadRegistry();
    const env = { ALLOW_PRIVATE_SOURCES: crm.hostAndPort };
    const { json } = opsTerminal(db.url, { connectors: [...registry.list()], env });
    const names = ['--crm', 'kyero', '--client', 'http'];
    const credentials = ['token=top-1', 'header=X-Api-Key', 'header-value=top-2', 'query=key', 'query-value=top-3'];
    const added = await json(
      ...['gateway', 'add', ...names, '--source', `${crm.url}?page=1`],
      ...credentials.flatMap((credential) => ['--credential', credential]),
    );
    expect(added).toMatchObject({ exitCode: 0, err: '' });

    crm.answer = { body: aKyeroFeed(ids(8).map((id) => aProperty(id))) };
    expect(await runOf('http')).toMatchObject({ state: 'published', added: 8 });
    expect(crm.requests.at(-1)).toMatchObject({
      url: '/feed.xml?page=1&key=top-3',
      headers: { authorization: 'Bearer top-1', 'x-api-key': 'top-2' },
    });
    crm.answer = { status: 403 };
    const refused = await runOf('http');
    expect(refused).toMatchObject({ state: 'failed', reason: `${crm.url}?page=1&key=*** answered 403` });
    const { value } = await json('gateway', 'show', ...names);
    expect(value).toMatchObject({ source_url: `${crm.url}?page=1`, has_credentials: true });
    expect(JSON.stringify([value, refused])).not.toContain('top-');
  });
});
