import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../../libs/media/src/testing/s3-server';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import type { GatewayClient, Page } from '../../support/gateway-client';
import { type Product, startProduct } from '../../support/product';
import { eventually } from '../../support/waiting';

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
  });

  afterAll(async () => {
    await product.stop();
    await Promise.all([database.close(), simulator.close(), bucket.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  interface Read {
    path: string;
    query?: Record<string, string>;
    coding: 'identity' | 'gzip';
  }

  /** How it came, and what it says once it is decoded, but for the id of the request. */
  async function read({ path, query = {}, coding }: Read, have?: string): Promise<{ answer: string; tag: string }> {
    const { crm, client, key } = gateway.access;
    const address = `${product.apiUrl}${path}?${new URLSearchParams({ crm, client, ...query }).toString()}`;
    const { status, headers, ...body } = await fetch(address, {
      headers: { key, 'accept-encoding': coding, ...(have !== undefined && { 'if-none-match': have }) },
    }).then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
    const [encoding, tag] = ['content-encoding', 'etag'].map((name) => headers.get(name) ?? 'none');
    const answer = `${status} ${encoding} ${tag} ${body.text.replace(/"request_id":"[^"]+"/, '')}`;
    return { answer, tag: tag! };
  }

  it(
    'fails no read of a list, a manifest or a listing, and takes reports that appear later',
    async () => {
      const first = await gateway.get('/v1/properties');
      const token = first.headers.get('x-snapshot') ?? '';
      const { affId } = ((await first.json()) as Page<{ affId: string }>).data[7]!;
      const asked: Omit<Read, 'coding'>[] = [
        ...[1, 2, 5, 6].map((page) => ({ path: '/v1/properties', query: { page: String(page), snapshot: token } })),
        ...[1, 2].map((page) => ({
          path: '/v1/properties',
          query: { page: String(page), per_page: '200', snapshot: token },
        })),
        { path: '/v1/manifest' },
        { path: `/v1/properties/${encodeURIComponent(affId)}` },
      ];
      const reads = asked.flatMap((one) => [
        { ...one, coding: 'identity' as const },
        { ...one, coding: 'gzip' as const },
      ]);
      const before = await Promise.all(reads.map((one) => read(one)));
      expect(before.map(({ answer }) => answer.split(' ', 2))).toEqual(
        reads.map(({ coding }) => ['200', coding === 'gzip' ? 'gzip' : 'none']),
      );
      expect(before.filter(({ tag }) => tag === 'none')).toEqual([]);

      const failures: string[] = [];
      let count = 0;
      let isOver = false;
      const readers = Array.from({ length: READERS }, async (_, reader) => {
        for (let at = reader; !isOver; at += 1) {
          const [one, known] = [reads[at % reads.length]!, before[at % reads.length]!];
          const { answer } = await read(one);
          // What its tag was given with before is still the answer to it.
          const again = await read(one, known.tag);
          count += 2;
          if (answer !== known.answer || !again.answer.startsWith('304 '))
            failures.push(`${one.path} ${one.coding}: ${answer.slice(0, 200)}, then ${again.answer.slice(0, 50)}`);
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
    },
    AWAY_MS + 120_000,
  );
});
