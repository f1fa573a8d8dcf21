import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '@passerelle/database';
import { Agent, request } from 'undici';
import { addGateway, publishListings, type SeededGateway, someListings } from '../../medium/api/api-under-test';
import { aFreePort } from '../../support/free-port';
import { type OwnPostgres, startOwnPostgres } from '../../support/own-postgres';
import { type Program, startProgram, untilReady } from '../../support/program';
import { until } from '../../support/waiting';

const READS = Number(process.env['READS'] ?? 4_000);
const READERS = 40;
const LISTINGS = 60;
const GATEWAYS = 5;

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
chmodSync(folder, 0o777);
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=777', 'tmpfs', folder]).status === 0;

// Real: PostgreSQL on a disk of 300 MB, two APIs as built. The test replaces the ingestor.
(isMounted ? describe : describe.skip)('a full disk of PostgreSQL (needs the right to mount)', () => {
  let server: OwnPostgres;
  let database: Database;
  let apis: Program[];
  let urls: string[];
  let gateways: SeededGateway[];
  const agent = new Agent({ connections: READERS });

  beforeAll(async () => {
    const port = await aFreePort();
    const options = { directory: join(folder, 'postgres'), password: 'not-a-secret', port, database: 'full' };
    server = await startOwnPostgres(options);
    const url = `postgres://postgres:not-a-secret@127.0.0.1:${port}/full`;
    database = await openDatabase({ url, applicationName: 'test' });
    await database.migrations.migrate({}, 1);
    gateways = [];
    for (let n = 0; n < GATEWAYS; n += 1)
      gateways.push(await addGateway(database, { listings: someListings(LISTINGS) }));
    const ports = [await aFreePort(), await aFreePort()];
    urls = ports.map((one) => `http://127.0.0.1:${one}`);
    apis = ports.map((one) =>
      startProgram('apps/api/src/main.js', { ...{ DATABASE_URL: url, PORT: String(one), CACHE_MB: '0' } }),
    );
    await Promise.all(apis.map((api, n) => untilReady(api, `${urls[n]}/health/ready`)));
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await database.close();
    await server.end('stop');
    spawnSync('umount', ['-l', folder]);
    for (const path of [folder, dirname(server.directory)]) rmSync(path, { recursive: true, force: true });
  });

  const read = async (n: number): Promise<{ status: number; total: number; text: string }> => {
    const gateway = gateways[n % GATEWAYS]!;
    const page = (n % 6) + 1;
    const answer = await request(`${urls[n % 2]}/v1/properties?${gateway.query}&per_page=10&page=${page}`, {
      dispatcher: agent,
      headers: { ...gateway.headers, 'user-agent': `Reader/${n}` },
    });
    const text = await answer.body.text();
    const body = JSON.parse(text) as { meta?: { total: number } };
    return { status: answer.statusCode, total: body.meta?.total ?? -1, text: text.slice(0, 200) };
  };
  /** @returns the answers that were errors or came from another list */
  const readAll = async (): Promise<string[]> => {
    const wrong: string[] = [];
    let next = 0;
    const reader = async (): Promise<void> => {
      while (next < READS) {
        const { status, total, text } = await read(next++);
        if (status !== 200 || total !== LISTINGS) wrong.push(`${status} ${text}`);
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
    return wrong;
  };

  it('leaves every list readable, and publishing continues when there is free space again', async () => {
    const filler = join(folder, 'filler');
    const file = await open(filler, 'w');
    const block = Buffer.alloc(64 * 1024);
    const filled = async (): Promise<boolean> => {
      for (;;) {
        const failed = await file.write(block).then(
          () => false,
          (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOSPC',
        );
        if (failed) return true;
      }
    };
    expect(await filled()).toBe(true);
    await expect(
      database.runRequests.request({ gatewayId: gateways[0]!.id, trigger: 'ops' }).then(async () => {
        await filled();
        await publishListings(database, gateways[0]!.id, someListings(3_000));
      }),
    ).rejects.toThrow(/No space left/);
    expect(await readAll()).toEqual([]);
    await file.close();
    await rm(filler);
    await until(async () => {
      await publishListings(database, gateways[1]!.id, someListings(LISTINGS, { prix: 7 }));
      return true;
    });
    expect(await readAll()).toEqual([]);
  });
});
