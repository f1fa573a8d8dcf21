import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { type IngestorUnderTest, startIngestor } from './ingestor-under-test';
import { until } from '../../support/waiting';

const FEED = aKyeroFeed([aProperty('1')]);

// Real: the queue, the runs, PostgreSQL and HTTP. Fake: CRMs that answer, that send slowly, or do not answer.
describe('sources of an ingestor', () => {
  const servers: Server[] = [];
  let ingestor: IngestorUnderTest | undefined;

  afterEach(async () => {
    for (const server of servers) server.closeAllConnections();
    await ingestor?.close();
    for (const server of servers.splice(0)) server.close();
  });

  const listen = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** A CRM that answers only when the test makes it answer. */
  const silent = async (): Promise<{ host: string; waiting: ServerResponse[] }> => {
    const waiting: ServerResponse[] = [];
    return { host: await listen((_request, response) => void waiting.push(response)), waiting };
  };
  const ask = async (host: string, path: string, crm = 'kyero'): Promise<number> => {
    const { addGateway, database } = ingestor!;
    const client = `${host}-${path}`.replaceAll(/\W/g, '-');
    const gatewayId = await addGateway({ crm, client, sourceUrl: `http://${host}/${path}` });
    return await database.runRequests.request({ gatewayId, trigger: 'ops' });
  };
  const ended = async (runs: readonly number[]): Promise<number> => {
    const found = await Promise.all(runs.map((run) => ingestor!.database.runHistory.find(run)));
    return found.filter((run) => typeof run?.ended_at === 'string').length;
  };
  const metric = async (name: string): Promise<number> => {
    const { text } = await ingestor!.get('/metrics', { authorization: 'Bearer the-token-of-the-operators' });
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('are read while other sources do not answer, although the ingestor processes only one feed at a time', async () => {
    const slow = await Promise.all([silent(), silent()]);
    const healthy = await listen((_request, response) => response.end(FEED));
    const hosts = [...slow.map(({ host }) => host), healthy];
    ingestor = await startIngestor({
      ...{ ingestConcurrency: 1, fetchConcurrency: 16, allowPrivateSources: new Set(hosts) },
    });
    const waiting: number[] = [];
    for (let n = 0; n < 12; n += 1) waiting.push(await ask(hosts[n % 2]!, String(n)));
    await until(() => Promise.resolve(slow.every((one) => one.waiting.length === 6)));
    expect(await metric('passerelle_sources_being_read')).toBe(12);

    const runs = await Promise.all([...Array(8).keys()].map((n) => ask(healthy, String(n))));
    await until(async () => (await ended(runs)) === 8);
    expect(await ended(waiting)).toBe(0);

    for (const one of slow) for (const response of one.waiting) response.end(FEED);
    await until(async () => (await ended(waiting)) === 12);
    // A run ends a moment before its slot is free.
    for (const name of ['passerelle_sources_being_read', 'passerelle_runs_at_work'])
      await until(async () => (await metric(name)) === 0);
  });

  it('are limited per host, and in total', async () => {
    const all = await Promise.all([silent(), silent(), silent()]);
    ingestor = await startIngestor({
      ...{ fetchConcurrency: 5, fetchPerHost: 2, allowPrivateSources: new Set(all.map(({ host }) => host)) },
    });
    const runs: number[] = [];
    for (const { host } of all) for (let n = 0; n < 4; n += 1) runs.push(await ask(host, String(n)));
    await until(() => Promise.resolve(all.flatMap(({ waiting }) => waiting).length === 5));
    await sleep(1_000);
    expect(all.map(({ waiting }) => waiting.length).sort()).toEqual([1, 2, 2]);

    const answered = new Set<ServerResponse>();
    await until(async () => {
      for (const { waiting } of all) {
        expect(waiting.filter((response) => !answered.has(response)).length).toBeLessThanOrEqual(2);
        for (const response of waiting) if (!answered.has(response)) response.writeHead(404).end();
        for (const response of waiting) answered.add(response);
      }
      return (await ended(runs)) === 12;
    });
    expect(answered.size).toBe(12);
  });

  it('lose their slots when they send slowly, even at the first contact', async () => {
    const drip: RequestListener = (_request, response) => {
      response.write('<root>');
      const timer = setInterval(() => response.write(' '), 500);
      response.once('close', () => {
        clearInterval(timer);
      });
    };
    const dripping = await Promise.all([...Array(4).keys()].map(() => listen(drip)));
    const healthy = await listen((_request, response) => response.end(FEED));
    ingestor = await startIngestor({
      ...{ fetchConcurrency: 4, fetchPerHost: 4, allowPrivateSources: new Set([...dripping, healthy]) },
    });
    const bad: number[] = [];
    for (const host of dripping) bad.push(await ask(host, 'feed'));
    await until(async () => (await metric('passerelle_sources_being_read')) === 4);
    // The slow sources take all slots until the ingestor detects that they are slow.
    const runs = await Promise.all([...Array(6).keys()].map((n) => ask(healthy, String(n))));
    await until(async () => (await ended(runs)) === 6);
    expect(await ended(bad)).toBe(0);
  });

  it('are all read when they send more than the spool can hold, and leave no files behind', async () => {
    const feed = aKyeroFeed(ids(2_500).map((id) => aProperty(id, { notes: 'x'.repeat(2_000) })));
    const big = await listen((_request, response) => response.end(feed));
    const spoolDir = mkdtempSync(join(tmpdir(), 'passerelle-spool-'));
    ingestor = await startIngestor({
      ...{ ingestConcurrency: 1, fetchSpoolMb: 6, spoolDir, allowPrivateSources: new Set([big]) },
    });
    const runs = await Promise.all([...Array(3).keys()].map((n) => ask(big, String(n))));
    await until(async () => (await ended(runs)) === 3);
    const states = await Promise.all(runs.map((run) => ingestor!.database.runHistory.find(run)));
    expect(states.map((run) => run?.state)).toEqual(['published', 'published', 'published']);
    await until(async () => (await metric('passerelle_spooled_bytes\\{where="disk"\\}')) === 0);
    await until(() => Promise.resolve(readdirSync(spoolDir).length === 0));
    rmSync(spoolDir, { recursive: true });
  });
});
