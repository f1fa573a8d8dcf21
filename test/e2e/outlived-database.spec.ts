import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../libs/media/src/testing/s3-server';
import { createSimulator, type Simulator } from '../../tools/simulator/simulator';
import { type BreakableLink, linkTo } from '../support/breakable-link';
import type { GatewayClient, Page } from '../support/gateway-client';
import { eventually, type Product, startProduct } from '../support/product';

/** How long the database is away; readers go on all the while. */
const AWAY_MS = Number(process.env['OUTLIVED_SECONDS'] ?? 4) * 1000;
const READERS = 6;

// Real: both processes as built, PostgreSQL, a server of the S3 protocol. Fake: the CRM, and the cable that is pulled.
describe('the database stops under load, with PAGES_BUCKET_URL', () => {
  let folder: string;
  let bucket: S3Server;
  let simulator: Simulator;
  let database: BreakableLink;
  let product: Product;
  let gateway: GatewayClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'));
    bucket = await startS3Server(folder, ['pages']);
    simulator = await createSimulator({ seed: 28, counts: { kyero: 260 } });
    product = await startProduct({
      simulator,
      through: async (url) => (database = await linkTo(url)).url,
      settings: { PAGES_BUCKET_URL: bucket.url('pages'), ...S3_CREDENTIALS },
    });
    gateway = await product.addGateway('kyero');
    await product.ingest('kyero');
    const { properties } = simulator.portfolios.kyero;
    simulator.portfolios.kyero.remove(properties[3]!.id);
    await product.ingest('kyero');
  }, 120_000);

  afterAll(async () => {
    await product.stop();
    await Promise.all([database.close(), simulator.close(), bucket.stop()]);
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** The status, and the body but for the id of the request. */
  const read = async (path: string, query: Record<string, string> = {}): Promise<string> => {
    const answer = await gateway.get(path, query);
    return `${answer.status} ${(await answer.text()).replace(/"request_id":"[^"]+"/, '')}`;
  };

  it('fails no read of a list, a manifest or a listing, and takes reports that appear later', async () => {
    const first = await gateway.get('/v1/properties');
    const token = first.headers.get('x-snapshot') ?? '';
    const { affId } = ((await first.json()) as Page<{ affId: string }>).data[7]!;
    const reads: [path: string, query: Record<string, string>][] = [
      ...[1, 2, 5, 6].map((page): [string, Record<string, string>] => [
        '/v1/properties',
        { page: String(page), snapshot: token },
      ]),
      ...[1, 2].map((page): [string, Record<string, string>] => [
        '/v1/properties',
        { page: String(page), per_page: '200', snapshot: token },
      ]),
      ['/v1/manifest', {}],
      [`/v1/properties/${encodeURIComponent(affId)}`, {}],
    ];
    const before = await Promise.all(reads.map(([path, query]) => read(path, query)));
    expect(before.map((answer) => answer.slice(0, 4))).toEqual(reads.map(() => '200 '));

    const failures: string[] = [];
    let count = 0;
    let isOver = false;
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      for (let at = reader; !isOver; at += 1) {
        const [path, query] = reads[at % reads.length]!;
        const answer = await read(path, query);
        count += 1;
        if (answer !== before[at % reads.length]) failures.push(`${path}: ${answer.slice(0, 200)}`);
      }
    });
    await database.cut();
    const { crm, client } = gateway.access;
    const report = { crm, client, status: 'success', count: 259, message: 'while the database was away' };
    const reported = await eventually(async () => {
      const answer = await fetch(`${product.apiUrl}/v1/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', key: gateway.access.key },
        body: JSON.stringify(report),
      });
      return answer.status;
    });
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    const refused = await fetch(`${product.apiUrl}/v1/manifest?crm=${crm}&client=${client}`, {
      headers: { key: 'another' },
    });
    const away = await gateway.get('/v1/manifest');
    await database.mend();
    isOver = true;
    await Promise.all(readers);

    expect([failures.slice(0, 3), reported, refused.status, away.headers.get('x-served-from')]).toEqual([
      [],
      200,
      401,
      'bucket',
    ]);
    expect(count).toBeGreaterThan(READERS * 5);
    const message = await eventually(async () => {
      const answer = await gateway.get('/v1/status');
      const { data } = (await answer.json()) as { data?: { last_update_message: string | null } };
      return data?.last_update_message ?? undefined;
    });
    expect(message).toBe('while the database was away');
  }, 120_000);
});
