import { loadRegistry } from '@passerelle/connectors';
import { startFeedServer, type FeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SOLD = 8;
const TOTAL = 20;

function transfer(): string {
  const objects = Array.from(
    { length: TOTAL },
    (
      _,
      n,
    ) => `<immobilie><objektkategorie><nutzungsart WOHNEN="true"/><vermarktungsart KAUF="true"/><objektart><haus/></objektart></objektkategorie>
      <geo><plz>10115</plz><ort>Berlin</ort></geo><preise><kaufpreis>${300_000 + n}</kaufpreis></preise>
      <zustand_angaben>${n < SOLD ? '<verkaufstatus stand="VERKAUFT"/>' : ''}</zustand_angaben>
      <verwaltung_techn><objektnr_extern>${n}</objektnr_extern><openimmo_obid>O${n}</openimmo_obid></verwaltung_techn></immobilie>`,
  );
  return `<openimmo><uebertragung art="OFFLINE" umfang="VOLL" version="1.2.7"/><anbieter><anbieternr>1</anbieternr>${objects.join('')}</anbieter></openimmo>`;
}

// Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM.
describe('the first run after a mapping or a setting changed', () => {
  let db: TestDatabase;
  let crm: FeedServer;
  let gatewayId: number;
  beforeEach(async () => {
    db = await createTestDatabase();
    crm = await startFeedServer();
    crm.answer = { body: transfer() };
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'openimmo', client: 'agency', sourceUrl: crm.url, settings: { 'keep-sold': 'oui' } },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  });
  afterEach(async () => {
    await crm.close();
    await db.drop();
  });

  async function run(): Promise<{ state: string; verdict: unknown; removed: number }> {
    const id = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const outbound = { allowPrivate: new Set([crm.hostAndPort]), pagePauseMs: 0 };
    await runWaiting(db.database, gatewayId, { registry: await loadRegistry(), outbound });
    const [row] = await db.query<{ state: string; verdict: unknown; removed: number }>(
      'SELECT state, verdict, removed FROM run WHERE id = $1',
      [id],
    );
    return row!;
  }

  it('is held as mapping_changed when only withdrawn listings leave, also the second time, until an operator decides', async () => {
    expect((await run()).state).toBe('published');
    await db.query(`UPDATE gateway SET settings = settings - 'keep-sold' WHERE id = $1`, [gatewayId]);
    for (let time = 0; time < 2; time += 1) {
      const { state, verdict, removed } = await run();
      expect([state, removed]).toEqual(['held', SOLD]);
      expect(verdict).toMatchObject([{ code: 'mapping_changed', figures: { before: TOTAL, withdrawn: SOLD } }]);
    }
    const ids = await db.database.heldRuns.heldOnlyFor('mapping_changed');
    expect(ids).toHaveLength(1);
    await db.database.heldRuns.publish(ids[0]!, { by: 'cmartin', reason: 'sold' });
    expect(await db.database.heldRuns.heldOnlyFor('mapping_changed')).toEqual([]);
    expect((await run()).state).toBe('unchanged');
  });
});
