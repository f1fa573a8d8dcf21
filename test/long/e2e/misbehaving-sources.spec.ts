import type { Misbehaviour } from '../../../tools/simulator/misbehaviour';
import type { Portfolio } from '../../../tools/simulator/portfolio';
import { type Property, SIMULATED_CRMS, type SimulatedCrm } from '../../../tools/simulator/property';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import type { GatewayClient } from '../../support/gateway-client';
import { type Product, startProduct } from '../../support/product';

// Real: both processes as built, PostgreSQL, the queue, HTTP on both sides. Fake: the CRMs, which make every kind of
// error.

const HTML = {
  kind: 'body',
  contentType: 'text/html',
  body: '<html><body><h1>Maintenance</h1></body></html>',
} as const;
const EMPTY_XML = '<?xml version="1.0"?><root><kyero><feed_version>3</feed_version></kyero></root>';
const isSecondPage = (path: string): boolean => /offset=[1-9]/.test(path);

interface Case {
  crm: SimulatedCrm;
  what: string;
  fault: Misbehaviour;
  applies?: (path: string) => boolean;
}

const FAULTS: Case[] = [
  { crm: 'kyero', what: 'status 500', fault: { kind: 'status', status: 500 } },
  { crm: 'kyero', what: 'status 404', fault: { kind: 'status', status: 404 } },
  { crm: 'kyero', what: 'status 401', fault: { kind: 'status', status: 401 } },
  { crm: 'kyero', what: 'a maintenance page', fault: HTML },
  { crm: 'kyero', what: 'an empty body', fault: { kind: 'body', contentType: 'application/xml', body: '' } },
  {
    crm: 'kyero',
    what: 'a document without listings',
    fault: { kind: 'body', contentType: 'application/xml', body: EMPTY_XML },
  },
  { crm: 'kyero', what: 'a document that stops in the middle', fault: { kind: 'truncated', bytes: 40_000 } },
  { crm: 'kyero', what: 'a connection that breaks', fault: { kind: 'dropped', afterBytes: 30_000 } },
  { crm: 'kyero', what: 'fewer bytes than declared', fault: { kind: 'wrong-length', difference: 1_000 } },
  { crm: 'kyero', what: 'more bytes than declared', fault: { kind: 'wrong-length', difference: -1_000 } },
  { crm: 'poliris', what: 'a maintenance page', fault: HTML },
  { crm: 'poliris', what: 'an archive that stops in the middle', fault: { kind: 'truncated', bytes: 4_000 } },
  { crm: 'poliris', what: 'status 403', fault: { kind: 'status', status: 403 } },
  {
    crm: 'apimo',
    what: 'refused credentials',
    fault: { kind: 'status', status: 401, body: '{"message":"Invalid credentials"}' },
  },
  { crm: 'apimo', what: 'an error on the second page', fault: { kind: 'status', status: 500 }, applies: isSecondPage },
  { crm: 'apimo', what: 'a maintenance page instead of the second page', fault: HTML, applies: isSecondPage },
  { crm: 'apimo', what: 'more listings declared than sent', fault: { kind: 'miscounted', difference: 12 } },
  { crm: 'apimo', what: 'a page that stops in the middle', fault: { kind: 'truncated', bytes: 100_000 } },
  // This fault comes last, because its `retry-after` delays later requests.
  { crm: 'kyero', what: 'status 429', fault: { kind: 'status', status: 429, headers: { 'retry-after': '60' } } },
];

interface Loss {
  crm: SimulatedCrm;
  what: string;
  keep: (properties: readonly Property[]) => Property[];
}

const LOSSES: Loss[] = [
  ...SIMULATED_CRMS.map((crm): Loss => ({ crm, what: 'none', keep: () => [] })),
  ...SIMULATED_CRMS.map((crm): Loss => ({ crm, what: 'half', keep: (all) => all.slice(0, all.length / 2) })),
];

describe('a source that misbehaves', () => {
  let simulator: Simulator;
  let product: Product;
  const gateways = new Map<SimulatedCrm, GatewayClient>();

  beforeAll(async () => {
    simulator = await createSimulator({ seed: 11, counts: { apimo: 1_040, kyero: 60, poliris: 60 } });
    product = await startProduct({ simulator });
    for (const crm of SIMULATED_CRMS) {
      gateways.set(crm, await product.addGateway(crm));
      await product.ingest(crm);
    }
  });

  afterAll(async () => {
    await product.stop();
    await simulator.close();
  });

  afterEach(() => {
    simulator.behave();
  });

  it.each(LOSSES)('$crm with $what of its listings left: the run is held and the pages stay', async ({ crm, keep }) => {
    const portfolio = simulator.portfolios[crm];
    const all = portfolio.properties;
    const pages = await gateways.get(crm)!.readBytes();
    portfolio.replace(keep(all));

    const run = await product.ingest(crm);

    portfolio.replace(all);
    expect(run).toMatchObject({ state: 'held', reason: expect.stringMatching(/\w \w/) });
    expect(await gateways.get(crm)!.readBytes()).toBe(pages);
  });

  it.each(FAULTS)('$crm with $what: the run states a reason, and the pages stay', async ({ crm, fault, applies }) => {
    const portfolio = simulator.portfolios[crm];
    const pages = await gateways.get(crm)!.readBytes();
    // A broken feed must not publish this change. The change also prevents a 304 answer.
    const changed = portfolio.change(portfolio.properties[0]!.id, { price: 1_000 + portfolio.version });
    simulator.misbehave(crm, fault, applies);

    const run = await product.ingest(crm);

    expect(['failed', 'held']).toContain(run.state);
    expect(run.reason).toMatch(/\w \w/);
    expect(await gateways.get(crm)!.readBytes()).toBe(pages);
    expect(portfolio.properties).toContain(changed);
  });

  it.each<[string, (portfolio: Portfolio) => void]>([
    [
      'is removed',
      (portfolio) => {
        portfolio.remove(portfolio.properties[0]!.id);
      },
    ],
    ['is added at the front', (portfolio) => portfolio.add(0)],
    [
      'is removed while another is added',
      (portfolio) => {
        portfolio.remove(portfolio.properties[0]!.id);
        portfolio.add();
      },
    ],
  ])(
    'apimo with a listing that %s between two pages: the run publishes exactly the current listings',
    async (_what, move) => {
      const portfolio = simulator.portfolios.apimo;
      let hasMoved = false;
      simulator.misbehave('apimo', { kind: 'late', delayMs: 0 }, (path) => {
        if (!isSecondPage(path) || hasMoved) return false;
        hasMoved = true;
        move(portfolio);
        return true;
      });

      const run = await product.ingest('apimo');

      expect(run).toMatchObject({ state: 'published', records: portfolio.properties.length });
      const ids = (await gateways.get('apimo')!.readAll('normalized', 100)).map(({ affId }) => Number(affId));
      expect(new Set(ids)).toEqual(new Set(portfolio.properties.map(({ id }) => id)));
    },
  );
});
