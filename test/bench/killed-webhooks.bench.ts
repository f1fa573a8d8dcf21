import { killSenders } from '../support/killed-senders';
import type { Bench, Finding } from './bench';
import type { Surroundings } from './surroundings';
import { sized } from './size';

/** `KILLS=1000` is the full size, which takes a quarter of an hour. */
const KILLS = sized(Number(process.env['KILLS'] ?? 50), 2);
const EVERY_MS = 600;

/** Checks the webhooks that sites receive while ingestors, Redis and processes of PostgreSQL are killed at random. */
export const killedWebhooks: Bench = { name: 'killed-webhooks', run: measureKilledWebhooks };

async function measureKilledWebhooks({ database, databaseUrl }: Surroundings): Promise<Finding[]> {
  const { webhookEndpoints } = database;
  const { kills, due, lost, untold, unsigned, foreign, disordered, arrivals, doubled } = await killSenders({
    ...{ databaseUrl, webhookEndpoints, kills: KILLS, everyMs: EVERY_MS },
  });
  const killed = `${kills.ingestor} ingestors, ${kills.redis} times Redis, ${kills.postgres} processes of PostgreSQL`;
  const none = { goal: { max: 0 }, unit: 'requests' } as const;
  return [
    {
      what: `messages that never arrived, of ${due}, over ${KILLS} kills`,
      ...{ value: lost.length + untold.length, ...none, detail: `${killed}; ${doubled} came more than once` },
    },
    {
      what: 'requests without a right signature',
      ...{ value: unsigned, ...none, detail: `of ${arrivals}` },
    },
    {
      what: 'requests to another gateway’s endpoint, or to one that was removed',
      ...{ value: foreign, ...none, detail: `of ${arrivals}` },
    },
    {
      what: 'messages that came before an older one',
      ...{ value: disordered, ...none, detail: `of ${arrivals}` },
    },
  ];
}
