import type { Bench } from './bench';
import { importPortfolio, LISTINGS, PER_PAGE } from './portfolio';
import { alternating, timed } from './rounds';
import { sized } from './size';

const ROUNDS = sized(150, 5);
const READS = 20;

/** Compares page 2,000 with page 1, at 50 listings per page, both read from PostgreSQL. */
export const deepPage: Bench = {
  name: 'deep-page',
  async run(surroundings) {
    const { snapshot } = await importPortfolio(surroundings);
    const { listings } = surroundings.database;
    const read = async (offset: number): Promise<number> =>
      timed(async () => {
        for (let reads = 0; reads < READS; reads += 1) await listings.page(snapshot, 'normalized', offset, PER_PAGE);
      });
    const { first, last } = await alternating(ROUNDS, { first: () => read(0), last: () => read(LISTINGS - PER_PAGE) });
    return [
      {
        what: `the time of page ${LISTINGS / PER_PAGE}, against page 1`,
        value: last / first,
        goal: { max: 1.1 },
        unit: '×',
        detail: `${(last / READS).toFixed(2)} ms against ${(first / READS).toFixed(2)} ms`,
      },
    ];
  },
};
