import { SecretBox } from '@passerelle/domain';
import { createTargets } from '@passerelle/exporters';
import { FtpServer } from '../../medium/transport/ftp-server';
import { pumpExports } from '../../support/exports/export-pump';
import { addPlacement } from '../../support/exports/placements';
import { PublishedLists } from '../../support/published-lists';
import { fullListing } from '../../support/targets/full-listing';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const PLACEMENTS = 100;
const LISTINGS = 500;
/** Exports at the same time, as in one ingestor. */
const AT_ONCE = 8;
const MOST_SECONDS = 300;
const MOST_MB = 300;
const MEASURED_EVERY_MS = 50;
const BOX = new SecretBox('a-secrets-key-of-thirty-two-characters');

// Real: PostgreSQL, the engine, the targets, FTP. Fake: the portals behind the server.
describe('the first export of many placements', () => {
  let db: TestDatabase;
  let ftp: FtpServer;
  beforeAll(async () => {
    db = await createTestDatabase();
    ftp = await new FtpServer().listen();
  });
  afterAll(async () => {
    await ftp.close();
    await db.drop();
  });

  it(`needs at most ${MOST_SECONDS} seconds and ${MOST_MB} MB`, async () => {
    const targets = createTargets();
    const lists = await PublishedLists.of(db.database, 'agence-du-port');
    for (let at = 0; at < PLACEMENTS; at += 1) {
      const code = ['poliris', 'openimmo', 'kyero', 'thribee'][at % 4]!;
      const target = targets.get(code)!;
      const needed = Object.fromEntries(target.requiredSettings.map((name) => [name, `value-${name}`]));
      const url = `ftp://agence:p%40ss@127.0.0.1:${ftp.port}/in-${at}`;
      await addPlacement(db.database, lists.gatewayId, code, {
        settings: needed,
        ...(target.transport === 'file' && { credentials: BOX.seal(JSON.stringify({ url })) }),
      });
    }
    await lists.publish(
      Array.from({ length: LISTINGS }, (_, at) => {
        const fields = fullListing({ affId: `L-${at}`, prix: 100_000 + at, commentaires: 'Text. '.repeat(250) });
        return { affId: `L-${at}`, intitule: `House ${at}`, fields };
      }),
    );
    const options = { targets: [...targets.values()], box: BOX, allowPrivate: new Set([`127.0.0.1:${ftp.port}`]) };
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, MEASURED_EVERY_MS);
    const startedMs = performance.now();
    const errors = await Promise.all(
      Array.from({ length: AT_ONCE }, () => pumpExports(db.database, options, PLACEMENTS * 4)),
    );
    clearInterval(timer);
    const seconds = (performance.now() - startedMs) / 1000;
    const megabytes = (peak - before) / 2 ** 20;
    process.stderr.write(`${PLACEMENTS} placements: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB more\n`);
    expect(errors.flat()).toEqual([]);
    const [row] = await db.query<{ delivered: number }>(
      `SELECT count(*)::integer AS delivered FROM publication WHERE state = 'delivered'`,
    );
    expect(row?.delivered).toBe(PLACEMENTS * LISTINGS);
    expect(seconds).toBeLessThan(MOST_SECONDS);
    expect(megabytes).toBeLessThan(MOST_MB);
  });
});
