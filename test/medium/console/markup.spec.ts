import { LIVE_PATH } from '../../../apps/console/src/layout/live';
import { FakeWorker } from '../ops/fake-worker';
import { startConsole } from './console-under-test';

// Real: the console over HTTP, PostgreSQL. Fake: the ingestor, with a feed that has markup in every field that a page shows.
describe('markup in a feed', () => {
  const MARK = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
  it('is shown as text on every page', async () => {
    const console = await startConsole();
    try {
      const { db } = console;
      await db.database.connectors.register([{ id: 'kyero', label: MARK, type: 'xml', notes: MARK }]);
      const id = await db.database.gateways.add(
        {
          ...{ crm: 'kyero', client: 'a', sourceUrl: `https://x.example/${MARK}`, settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.alloc(32, 1), prefix: MARK },
      );
      const rejection = { position: 1, recordId: MARK, field: MARK, code: 'missing-id', message: MARK, excerpt: MARK };
      const worker = new FakeWorker(db);
      await worker.run(id, { listings: ['A', MARK] });
      const reason = { reasonCode: MARK, reason: MARK, verdict: [{ code: 'vanished', message: MARK }] };
      const run = await worker.run(id, { listings: ['A'], rejections: [rejection as never] }, {
        state: 'held',
        ...reason,
      } as never);
      await db.query('UPDATE listing_normalized SET body = $1', [
        JSON.stringify({
          affId: MARK,
          intitule: MARK,
          ville: MARK,
          codePostal: MARK,
          photos: [{ url: `https://x/${MARK}` }],
        }),
      ]);
      await db.query(
        `INSERT INTO run_warning (run_id, code, field, value, count, examples) VALUES ($1, 'unknown-word', $2, $2, 1, ARRAY[$2])`,
        [run, MARK],
      );
      await db.query(
        `INSERT INTO report (gateway_id, status, message, site_url, plugin) VALUES ($1, 'error', $2, $2, $2)`,
        [id, MARK],
      );
      await db.query(`UPDATE gateway SET sealed_source = 'x', settings = $1`, [JSON.stringify({ [MARK]: MARK })]);
      await db.database.audit.record([
        {
          who: MARK,
          through: 'ops',
          act: 'gateway set',
          crm: MARK,
          client: MARK,
          before: { [MARK]: MARK },
          reason: MARK,
        },
      ]);
      const browser = await console.signedIn('admin');
      const listing = encodeURIComponent(MARK);
      const paths = [
        '/',
        '/gateways',
        '/gateways/kyero/a',
        `/gateways/kyero/a/listings/${listing}`,
        '/runs',
        `/runs/${run}`,
      ];
      const searches = [`/gateways?q=${listing}`, `/audit?who=${listing}`, `/sign-in?to=/${listing}`, `/${listing}`];
      let marks = 0;
      for (const path of [...paths, ...searches, '/problems', '/audit', '/about']) {
        // Removes only the console's own script, if it is unchanged.
        const text = (await browser.get(path)).text.replace(`<script src="${LIVE_PATH}" defer></script>`, '');
        expect({ path, has: /<script|<img src=x|onerror=alert\(1\)>[^&]/.test(text) }).toEqual({ path, has: false });
        marks += text.split('&lt;script&gt;').length - 1;
      }
      expect(marks).toBeGreaterThan(30);
      const added = await browser.post('/operators/add', { name: MARK, role: 'viewer' }, '/operators');
      expect(added.text).not.toContain('<script');
    } finally {
      await console.close();
    }
  });
});
