import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '@passerelle/domain';
import type { Bench, Finding } from './bench';
import { serveFeed } from './feed-server';
import { kyeroFeed, recordsIn } from './feeds';
import { addGateway } from './gateways';
import { residentMemory } from './resident-memory';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const SIZES = [
  { label: '100 MB', bytes: sized(100e6, 1e6) },
  { label: '1 GB', bytes: sized(1e9, 2e6) },
];
const POLL_MS = 250;

/**
 * The peak memory of a real ingestor that imports one XML feed over HTTP, then imports the same records again from a
 * file with other bytes.
 */
export const memory: Bench = {
  name: 'memory',
  async run(surroundings) {
    const findings: Finding[] = [];
    for (const { label, bytes } of SIZES) findings.push(...(await importOf(surroundings, label, bytes)));
    return findings;
  },
};

async function importOf(surroundings: Surroundings, label: string, bytes: number): Promise<Finding[]> {
  const records = recordsIn(bytes);
  let version = 1;
  const server = await serveFeed(() => kyeroFeed(records, `version ${version}`));
  const gateway = await addGateway(surroundings, 'kyero', `http://${server.host}/feed.xml`);
  const ingestor = await surroundings.start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: server.host });
  const finding = async (what: string, state: string): Promise<Finding> => {
    const run = await runNow(surroundings, gateway.id);
    if (run.state !== state) throw new Error(`the import came out ${run.state}: ${run.reason ?? ''}`);
    const { peak } = residentMemory(ingestor.pid);
    const seconds = ((Date.parse(run.ended_at ?? '') - Date.parse(run.started_at ?? '')) / 1000).toFixed(1);
    const detail = `${run.records} records in ${seconds} s`;
    return { what: `memory of the ingestor, ${what} of ${label}`, value: peak, goal: { max: 300 }, unit: 'MB', detail };
  };
  const first = await finding('first import', 'published');
  version += 1;
  const again = await finding('re-import', 'unchanged');
  await ingestor.stop();
  await server.close();
  return [first, again];
}

/** Requests a run from the ingestor and waits for its end. */
async function runNow({ database }: Surroundings, gatewayId: number): Promise<RunView> {
  const id = await database.runRequests.request({ gatewayId, trigger: 'ops' });
  for (;;) {
    const run = await database.runHistory.find(id);
    if (run !== null && run.ended_at !== null) return run;
    await sleep(POLL_MS);
  }
}
