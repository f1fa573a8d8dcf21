import { ProcessingSlots } from '../../../apps/ingestor/src/ingest/processing-slots';
import { createRandom } from '../../../tools/simulator/random';
import type { ApiServer } from '../../simulated/apis/api-server';
import { PROPSTACK_CREDENTIALS, type PropstackState, simulatePropstack } from '../../simulated/apis/propstack';
import { arriving } from '../../simulated/apis/unreliable-requests';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type NotifiedGateway, notifiedGateway } from './webhook-crm';

// Real: PostgreSQL, HTTP, the connector. Fake: Propstack; the test notes its webhooks as the API does. The queue is not
// used.
describe('run of a CRM with webhooks and a list', () => {
  let db: TestDatabase;
  let crm: ApiServer;
  let state: PropstackState;
  let gateway: NotifiedGateway;

  beforeEach(async () => {
    state = { units: new Map(), removed: [], reportsRemoved: false };
    for (let id = 1; id <= 40; id += 1) state.units.set(id, {});
    crm = await simulatePropstack(state);
    db = await createTestDatabase();
    const source = { crm: 'propstack', host: crm.host, path: '/v1', credentials: PROPSTACK_CREDENTIALS };
    gateway = await notifiedGateway(db, source);
    await gateway.run({ trigger: 'schedule' });
  });
  afterEach(async () => {
    await db.drop();
    await crm.close();
  });

  const shown = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries((await gateway.listings()).map(({ affId, prix }) => [affId as string, prix]));
  const inCrm = (): Record<string, unknown> =>
    Object.fromEntries(
      [...state.units].map(([id, { price = 300_000 }]: [number, { price?: number }]) => [String(id), price]),
    );
  const askedFor = (path: RegExp): number => crm.requests.filter(({ url }) => path.test(url.pathname)).length;
  const notes = async (): Promise<string[]> =>
    (await db.query<{ listing: string }>('SELECT listing FROM call_note ORDER BY listing')).map(
      ({ listing }) => listing,
    );
  const makeDue = (): Promise<object[]> =>
    db.query(`UPDATE gateway SET feed_memory = jsonb_set(feed_memory, '{comparedAt}', '"2026-01-01T00:00:00Z"')`);

  it('reads the whole list the first time', async () => {
    expect(await shown()).toEqual(inCrm());
    expect(askedFor(/units\/\d/)).toBe(0);
  });

  it('requests only the listings that webhooks name', async () => {
    state.units.set(7, { price: 310_000 });
    state.units.set(41, {});
    state.units.delete(9);
    await gateway.call('7', '41', '9', '7');
    const lists = askedFor(/units$/);
    const run = await gateway.run();
    expect(run).toMatchObject({ trigger: 'call', state: 'published', added: 1, changed: 1, removed: 1 });
    expect(await shown()).toEqual(inCrm());
    expect([askedFor(/units$/) - lists, askedFor(/units\/\d/)]).toEqual([0, 3]);
    expect(await notes()).toEqual([]);
    expect(await gateway.warningsOf(run)).toEqual([]);
  });

  it('requests nothing when there are no new webhooks', async () => {
    expect(await gateway.run({ trigger: 'schedule' })).toMatchObject({ state: 'unchanged' });
    expect(askedFor(/units/)).toBe(1);
  });

  it('takes a processing slot when the CRM no longer has a named listing', async () => {
    state.units.delete(9);
    await gateway.call('9');
    const acquired = jest.spyOn(ProcessingSlots.prototype, 'acquire');
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 1 });
    expect(acquired).toHaveBeenCalledTimes(1);
    acquired.mockRestore();
  });

  it('keeps a webhook that arrives while it reads the listing, and the next run requests that listing again', async () => {
    state.units.set(7, { price: 310_000 });
    await gateway.call('7');
    crm.fault = ({ url }) => {
      if (url.pathname.endsWith('/7')) void gateway.call('7');
      return undefined;
    };
    await gateway.run();
    expect(await notes()).toEqual(['7']);
    crm.fault = undefined;
    state.units.set(7, { price: 320_000 });
    await gateway.run();
    expect([await notes(), (await shown())['7']]).toEqual([[], 320_000]);
  });

  it('changes the other listings when one request fails, and the next run repeats that request', async () => {
    state.units.set(7, { price: 310_000 });
    state.units.set(8, { price: 320_000 });
    await gateway.call('7', '8');
    crm.fault = ({ url }) => (url.pathname.endsWith('/7') ? { kind: 'status', status: 400 } : undefined);
    const run = await gateway.run();
    expect(run).toMatchObject({ state: 'published', changed: 1, removed: 0 });
    expect(await gateway.warningsOf(run)).toEqual([{ code: 'unanswered', count: 1 }]);
    expect([await notes(), (await shown())['7'], (await shown())['8']]).toEqual([['7'], 300_000, 320_000]);
    crm.fault = undefined;
    await gateway.run({ trigger: 'schedule' });
    expect([await notes(), (await shown())['7']]).toEqual([[], 310_000]);
  });

  it('fails when no request succeeds, and keeps the webhooks', async () => {
    await gateway.call('7');
    crm.fault = () => ({ kind: 'status', status: 401 });
    expect(await gateway.run()).toMatchObject({ state: 'failed' });
    expect(await notes()).toEqual(['7']);
  });

  it('fails without removals when the CRM answers 404 to everything, and the next run reads the list', async () => {
    state.units.delete(9);
    await gateway.call('9');
    crm.fault = () => ({ kind: 'status', status: 404 });
    expect(await gateway.run()).toMatchObject({ state: 'failed' });
    expect([await notes(), Object.keys(await shown()).length]).toEqual([['9'], 40]);
    crm.fault = undefined;
    const lists = askedFor(/units$/);
    expect(await gateway.run({ trigger: 'schedule' })).toMatchObject({ state: 'published', removed: 1 });
    expect([askedFor(/units$/) - lists, await notes(), await shown()]).toEqual([1, [], inCrm()]);
  });

  it('keeps the webhooks of removals that the gate holds', async () => {
    const gone = Array.from({ length: 20 }, (_, index) => String(index + 1));
    for (const id of gone) state.units.delete(Number(id));
    await gateway.call(...gone);
    expect(await gateway.run()).toMatchObject({ state: 'held' });
    expect((await notes()).length).toBe(20);
    expect(Object.keys(await shown()).length).toBe(40);
  });

  it('compares the whole list once a day, publishes the changes of lost webhooks, and warns about them', async () => {
    state.units.set(7, { price: 310_000 });
    state.units.set(41, {});
    state.units.delete(9);
    expect(await gateway.run({ trigger: 'schedule' })).toMatchObject({ state: 'unchanged' });
    await makeDue();
    state.units.set(8, { price: 320_000 });
    await gateway.call('8');
    const run = await gateway.run();
    expect(run).toMatchObject({ state: 'published', added: 1, changed: 2, removed: 1 });
    expect(await gateway.warningsOf(run)).toEqual([{ code: 'missed_call', count: 3 }]);
    expect([await shown(), await notes()]).toEqual([inCrm(), []]);
  });

  it('reads the whole list when a webhook or an operator requests a full read', async () => {
    state.units.set(7, { price: 310_000 });
    await gateway.call('');
    await gateway.run();
    expect([await shown(), await notes()]).toEqual([inCrm(), []]);
    state.units.set(8, { price: 320_000 });
    await gateway.run({ trigger: 'ops' });
    expect(await shown()).toEqual(inCrm());
  });

  it('requests the removed listings from the CRM if the API key permits this request', async () => {
    state.reportsRemoved = true;
    await gateway.run({ trigger: 'schedule' });
    state.units.delete(9);
    state.removed.push({ id: 9, at: new Date(Date.now() + 1000) });
    const run = await gateway.run({ trigger: 'schedule' });
    expect(run).toMatchObject({ state: 'published', removed: 1 });
    expect(await gateway.warningsOf(run)).toEqual([{ code: 'missed_call', count: 1 }]);
    const asked = askedFor(/units\/\d/);
    await gateway.run({ trigger: 'schedule' });
    expect(askedFor(/units\/\d/)).toBe(asked);
  });

  it('keeps the webhooks when it is a dry run', async () => {
    await db.query(`INSERT INTO call_note (gateway_id, listing) VALUES ($1, '7')`, [gateway.id]);
    expect(await gateway.run({ trigger: 'ops', dryRun: true })).toMatchObject({ dry_run: true });
    expect(await notes()).toEqual(['7']);
  });

  it('publishes the right list after one comparison, when 1,000 webhooks are lost, doubled and disordered', async () => {
    const random = createRandom(31, 'calls');
    const made: string[] = [];
    for (let change = 0; change < 1_000; change += 1) {
      const id = random.integer(1, 60);
      if (random.chance(0.1)) state.units.delete(id);
      else state.units.set(id, { price: random.rounded(100_000, 900_000, 1_000) });
      made.push(String(id));
    }
    for (const id of arriving(made, { lost: 0.3, doubled: 0.3, late: 0.3 }, random)) await gateway.call(id);
    await gateway.run();
    await makeDue();
    await db.query(`UPDATE gateway SET settings = '{"max-vanished-share": "1", "max-replaced-share": "1"}'`);
    await gateway.run({ trigger: 'schedule' });
    expect(await shown()).toEqual(inCrm());
    expect(await notes()).toEqual([]);
  });
});
