import { choicesOf } from '../../support/connectors/choices';
import { MovingList } from '../../support/connectors/moving-list';
import { anOffer, FORMATS } from './feeds';
import type { Offer } from '../../simulated/files/offer';
import { type GatewayRuns, startGatewayRuns } from './gateway-runs';

const PAGE = 10;
const OFFERS = Array.from({ length: 24 }, (_, n) => anOffer(n));
const apimo = FORMATS.find(({ crm }) => crm === 'apimo')!;

/** Answers with pages of at most ten offers, from the list at the time of each request. */
function walkOf(listAt: (offset: number) => readonly Offer[]): GatewayRuns['crm']['answer'] {
  return ({ url }) => {
    const offset = Number(new URL(url ?? '', 'http://crm.example').searchParams.get('offset'));
    const list = listAt(offset);
    const page = JSON.parse(apimo.write(list.slice(offset, offset + PAGE)).toString()) as object;
    return { body: JSON.stringify({ ...page, total_items: list.length }) };
  };
}

// Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM.
describe('crawl of an API whose records move', () => {
  let gateway: GatewayRuns;
  const moved = [OFFERS[15]!, ...OFFERS.slice(0, 15), ...OFFERS.slice(16)];

  beforeEach(async () => {
    gateway = await startGatewayRuns(apimo);
    gateway.crm.answer = walkOf(() => OFFERS);
    expect(await gateway.run()).toMatchObject({ state: 'published', added: OFFERS.length });
  });
  afterEach(async () => {
    await gateway.close();
  });

  /** Answers the first request from `before`, and all later requests from `after`. */
  function whileTheListBecomes(after: readonly Offer[], before: readonly Offer[] = OFFERS): void {
    let pages = 0;
    gateway.crm.answer = walkOf(() => (++pages < 2 ? before : after));
  }

  it.each([
    ['a listing is removed', OFFERS.slice(1), { added: 0, removed: 1 }],
    ['a listing is added at the front', [anOffer(99), ...OFFERS], { added: 1, removed: 0 }],
    [
      'one listing is removed and another is added at the end',
      [...OFFERS.slice(1), anOffer(99)],
      { added: 1, removed: 1 },
    ],
    ['a listing moves to the front', moved, { added: 0, removed: 0 }],
  ])('publishes the list when %s between two pages', async (_what, list, changes) => {
    whileTheListBecomes(list);
    const run = await gateway.run();
    expect(run).toMatchObject({ records: list.length, ...changes });
    expect(['published', 'unchanged']).toContain(run.state);
    expect(await listedIn(gateway)).toEqual(new Set(list.map(({ id }) => id)));
  });

  it('keeps a listing that it finds on no page, although the number of records is the declared one', async () => {
    const before = await gateway.served();
    gateway.crm.answer = walkOf((offset) => (offset === 0 ? OFFERS : moved));
    expect(await gateway.run()).toMatchObject({
      state: 'held',
      reason: expect.stringContaining('2 of the 3 pages repeat records of other pages, or do not begin') as string,
    });
    expect(await gateway.served()).toBe(before);
    gateway.crm.answer = walkOf(() => moved);
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 0 });
  });

  it('removes a gone listing although a page always contains another listing twice', async () => {
    const withTwin = [...OFFERS.slice(0, 5), OFFERS[3]!, ...OFFERS.slice(5)];
    gateway.crm.answer = walkOf(() => withTwin);
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 0 });
    gateway.crm.answer = walkOf(() => withTwin.slice(0, -1));
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 1 });
  });

  it('publishes every listing that existed throughout, when records move at random', async () => {
    const choices = choicesOf(1);
    let runsPublished = 0;
    for (let run = 1; run <= 12; run += 1) {
      const list = new MovingList(choices, choices.integer(11, 31));
      const likelihood = choices.pick([0.05, 0.3, 1]);
      gateway.crm.answer = walkOf(() => {
        if (choices.chance(likelihood)) for (let moves = choices.integer(1, 3); moves > 0; moves -= 1) list.move();
        return list.ids.map((id) => anOffer(id));
      });
      const { state } = await gateway.run();
      if (state !== 'published') continue;
      runsPublished += 1;
      const listed = await listedIn(gateway);
      const missing = [...list.always].filter((id) => !listed.has(anOffer(id).id));
      expect({ run, missing }).toEqual({ run, missing: [] });
    }
    expect(runsPublished).toBeGreaterThan(2);
  });
});

async function listedIn(gateway: GatewayRuns): Promise<Set<string | undefined>> {
  return new Set([...(await gateway.served()).matchAll(/"affId":"(\d+)"/g)].map(([, id]) => id));
}
