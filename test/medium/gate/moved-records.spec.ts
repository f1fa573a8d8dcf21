import { anOffer, FORMATS, type Offer } from './feeds';
import { type GatewayRuns, startGatewayRuns } from './gateway-runs';

jest.setTimeout(60_000);

const PAGE = 10;
const OFFERS = Array.from({ length: 24 }, (_, n) => anOffer(n));
const apimo = FORMATS.find(({ crm }) => crm === 'apimo')!;

/** Pages of at most ten, of the list as it is when each page is asked for. */
function walkOf(listAt: (offset: number) => readonly Offer[]): GatewayRuns['crm']['answer'] {
  return ({ url }) => {
    const offset = Number(new URL(url ?? '', 'http://crm.example').searchParams.get('offset'));
    const list = listAt(offset);
    const page = JSON.parse(apimo.write(list.slice(offset, offset + PAGE)).toString()) as object;
    return { body: JSON.stringify({ ...page, total_items: list.length }) };
  };
}

// Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM.
describe('an API whose records move while its pages are read', () => {
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

  it('takes no listing away that came on no page, although the number is the declared one', async () => {
    const before = await gateway.served();
    gateway.crm.answer = walkOf((offset) => (offset === 0 ? OFFERS : moved));
    expect(await gateway.run()).toMatchObject({
      state: 'held',
      records: OFFERS.length,
      reason: expect.stringMatching(/records came twice \(1\) and listings are missing \(1\)/) as string,
    });
    expect(await gateway.served()).toBe(before);
  });

  it('is published by the next run, whose pages agree', async () => {
    gateway.crm.answer = walkOf((offset) => (offset === 0 ? OFFERS : moved));
    await gateway.run();
    gateway.crm.answer = walkOf(() => moved);
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 0 });
  });

  it('loses a listing also where the source always gives one twice', async () => {
    const withTwin = [...OFFERS.slice(0, 5), OFFERS[3]!, ...OFFERS.slice(5)];
    gateway.crm.answer = walkOf(() => withTwin);
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 0 });
    gateway.crm.answer = walkOf(() => withTwin.slice(0, -1));
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 1 });
  });

  it('loses a listing that is really gone, and that alone', async () => {
    gateway.crm.answer = walkOf(() => OFFERS.slice(1));
    expect(await gateway.run()).toMatchObject({ state: 'published', removed: 1 });
  });
});
