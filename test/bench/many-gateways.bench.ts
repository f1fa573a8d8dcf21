import type { Bench } from './bench';
import { multiply } from './copied-gateways';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway, drop, importNow } from './gateways';
import { answersPerSecond } from './http-load';
import { alternating, timed } from './rounds';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const LISTINGS = 50;
const FEW = sized(1_000, 20);
const MANY = sized(10_000, 40);
const ROUNDS = sized(6, 1);
const ROUND_MS = sized(2_000, 200);

/**
 * Compares pages and a tick of the schedule between installations of 10,000 and of 1,000 gateways with 50 listings
 * each. Gateways are requested one after the other: with 1,000 gateways the pages are still cached when the same
 * gateway comes again; with 10,000 they are read again, and the listings no longer fit into the memory of the embedded
 * server.
 */
export const manyGateways: Bench = {
  name: 'many-gateways',
  async run(surroundings) {
    const gateway = await importOne(surroundings);
    const few = await measure(surroundings, gateway, FEW);
    const many = await measure(surroundings, gateway, MANY);
    return [
      {
        what: `a page among ${MANY} gateways, against one among ${FEW}`,
        value: many.pages / few.pages,
        goal: null,
        unit: '×',
        detail: `${Math.round(many.pages)} answers a second against ${Math.round(few.pages)}, each gateway in turn`,
      },
      {
        what: `a tick of the schedule among ${MANY} gateways of which none is due`,
        value: many.tickMs,
        goal: { max: 10 },
        unit: 'ms',
        detail: `${few.tickMs.toFixed(1)} ms among ${FEW}`,
      },
    ];
  },
};

async function importOne(surroundings: Surroundings): Promise<BenchGateway> {
  await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
  const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
  await importNow(surroundings, gateway);
  return gateway;
}

async function measure(
  surroundings: Surroundings,
  gateway: BenchGateway,
  gateways: number,
): Promise<{ pages: number; tickMs: number }> {
  await multiply(surroundings.databaseUrl, gateway, gateways);
  const api = await surroundings.start('apps/api/src/main.js');
  let at = 0;
  const { pages, tickMs } = await alternating(ROUNDS, {
    pages: () =>
      answersPerSecond(
        {
          port: api.port,
          nextPath: () => `/v1/properties?crm=kyero&client=many-${(at = (at % (gateways - 1)) + 1)}`,
          headers: { key: gateway.key },
        },
        ROUND_MS,
      ),
    tickMs: () => timed(() => surroundings.database.schedule.requestDueRuns({ everySeconds: 86_400, batch: 500 })),
  });
  await api.stop();
  return { pages, tickMs };
}
