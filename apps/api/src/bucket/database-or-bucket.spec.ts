import pino from 'pino';

import { DatabaseOrBucket } from './database-or-bucket';

const NO_METRICS = { count: () => undefined, gauge: () => undefined } as never;
const DEAD = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** What is asked of a database whose server was lost, by connections that are found to be dead one after the other. */
function reading(hasSeveralHosts: boolean, dead: number): { ask: Promise<string>; tries: () => number } {
  let tries = 0;
  const reads = new DatabaseOrBucket(null, { hasSeveralHosts } as never, pino({ level: 'silent' }), NO_METRICS);
  const ask = reads.ask(
    () => ((tries += 1) > dead ? Promise.resolve('a page') : Promise.reject(DEAD)),
    () => Promise.reject(new Error('there is no bucket')),
  );
  return { ask, tries: () => tries };
}

it('a read of several servers fails on no number of dead connections, and not for long', async () => {
  await expect(reading(true, 6).ask).resolves.toBe('a page');
  const { ask, tries } = reading(true, Infinity);
  await expect(ask).rejects.toBe(DEAD);
  expect(tries()).toBeGreaterThan(5);
});

it('a read of one server is not asked again', async () => {
  const { ask, tries } = reading(false, 1);
  await expect(ask).rejects.toBe(DEAD);
  expect(tries()).toBe(1);
});
