import { Contract } from '../support/contract';
import { addHostileGateways, HOSTILE_WALK_SECONDS, runFuzzedCalls, runHostileRows } from '../support/hostile/run-rows';
import type { Ledger } from '../support/hostile/ledger';
import { measured, memoryOf } from '../support/measured-memory';
import { startProgram, untilReady } from '../support/program';
import { freePort } from '../../tools/embedded/embedded-postgres';
import type { Bench, Finding } from './bench';
import { sized } from './size';

const REQUESTS = sized(Number(process.env['HOSTILE_REQUESTS'] ?? 175_000), 1_000);
const CALLS = sized(Number(process.env['FUZZED_CALLS'] ?? 65_000), 500);
const HEAP_MB = 256;
const SHOWN_FAULTS = 3;

/**
 * Compares the answers of the lane and of the controllers to hostile requests while a list is published every second,
 * and measures the memory growth.
 */
export const edge: Bench = {
  name: 'edge',
  async run({ database, databaseUrl }) {
    const start = async (script: string) => {
      const port = await freePort();
      const program = startProgram(script, {
        ...measured(HEAP_MB),
        ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: 'warn' },
        // Both APIs need the same base URL, because it appears in their answers.
        BASE_URL: 'http://edge.example',
        ...{ WALK_SECONDS: String(HOSTILE_WALK_SECONDS), REFUSED_KEYS_PER_MINUTE: '1000000' },
      });
      await untilReady(program, `http://127.0.0.1:${port}/health/ready`);
      return { port, program };
    };
    const apis = [await start('apps/api/src/main.js'), await start('test/bench/api-without-fast-path.js')];
    const ports = apis.map(({ port }) => port);
    const [fastPath] = apis;
    if (fastPath === undefined) throw new Error('no API');
    const gateways = await addHostileGateways(database);
    const run = { database, ports, seed: 1 };
    const description: unknown = await (await fetch(`http://127.0.0.1:${fastPath.port}/openapi.json`)).json();
    await runHostileRows(gateways, { ...run, requests: 2_000 });
    const before = await memoryOf(fastPath.program);
    const rows = await runHostileRows(gateways, { ...run, seed: 2, requests: REQUESTS });
    // The page cache is full now. Memory that grows from here on shows a leak.
    const full = await memoryOf(fastPath.program);
    const more = await runHostileRows(gateways, { ...run, seed: 3, requests: REQUESTS / 2 });
    const calls = await runFuzzedCalls(gateways, new Contract(description as never), { ...run, requests: CALLS });
    const after = await memoryOf(fastPath.program);
    await Promise.all(apis.map(({ program }) => program.stop()));
    return [
      ...findings(`${rows.sent} hostile requests, ${rows.published} lists published`, rows.ledger),
      ...findings(`${more.sent} more, ${more.published} lists published`, more.ledger),
      ...findings(`${calls.sent} fuzzed calls, ${calls.published} lists published`, calls.ledger),
      {
        what: `memory that stays of what comes when the caches are full, with a heap of ${HEAP_MB} MB`,
        value: after - full,
        goal: { max: 16 },
        unit: 'MB',
        detail: `${before.toFixed(1)} MB before, ${full.toFixed(1)} MB when they were full, ${after.toFixed(1)} MB after`,
      },
    ] satisfies Finding[];
  },
};

function findings(what: string, { faults, answers, compared }: Ledger): Finding[] {
  const all = Object.entries(faults) as [string, string[]][];
  for (const [kind, cases] of all) {
    for (const one of cases.slice(0, SHOWN_FAULTS)) process.stderr.write(`${kind}: ${one}\n`);
  }
  return [
    {
      what,
      value: all.reduce((sum, [, cases]) => sum + cases.length, 0),
      goal: { max: 0 },
      unit: 'requests',
      detail: [
        ...all.map(([kind, cases]) => `${cases.length} ${kind}`),
        `${answers} answers, ${compared} compared byte by byte with another`,
      ].join(', '),
    },
  ];
}
