import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { backup } from './backup.bench';
import { type Bench, type Finding, type Result, table } from './bench';
import { calls } from './inbound-webhooks.bench';
import { confirmingRuns } from './confirming-runs.bench';
import { consolePages } from './console.bench';
import { deepPage } from './deep-page.bench';
import { dump } from './dump.bench';
import { edge } from './edge.bench';
import { fairness } from './fairness.bench';
import { firstImport } from './first-import.bench';
import { grown } from './grown.bench';
import { hostile } from './hostile.bench';
import { killedWebhooks } from './killed-webhooks.bench';
import { lostWebhooks } from './lost-webhooks.bench';
import { manyGateways } from './many-gateways.bench';
import { memory } from './memory.bench';
import { pageDatabase } from './page-database.bench';
import { pageMemory } from './page-memory.bench';
import { pagePlain } from './page-plain.bench';
import { runHistory } from './run-history.bench';
import { photos } from './photos.bench';
import { writePerformancePage } from './performance-page';
import { reImport } from './re-import.bench';
import { scaling } from './scaling.bench';
import { scheduler } from './scheduler.bench';
import { search } from './search.bench';
import { siteSync } from './site-sync.bench';
import { makeSurroundings } from './surroundings';
import { webhooks } from './webhooks.bench';
import { watchedImport } from './watched-import.bench';
import { drippingSources, slowSources } from './waiting-sources.bench';

const BENCHES: readonly Bench[] = [
  pageMemory,
  pageDatabase,
  pagePlain,
  firstImport,
  reImport,
  confirmingRuns,
  photos,
  memory,
  deepPage,
  dump,
  fairness,
  hostile,
  edge,
  backup,
  search,
  siteSync,
  runHistory,
  manyGateways,
  scheduler,
  scaling,
  drippingSources,
  slowSources,
  calls,
  lostWebhooks,
  consolePages,
  watchedImport,
  grown,
  webhooks,
  killedWebhooks,
];

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    alone: { type: 'boolean' },
    profile: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});

/** Runs each bench in a separate process with a separate database, so that no bench finds data of another. */
function runAll(): void {
  const benches = names.length === 0 ? BENCHES : names.map(benchOf);
  const results: Result[] = [];
  for (const { name } of benches) {
    process.stderr.write(`${name}…\n`);
    const { status, stdout } = spawnSync(process.execPath, [__filename, '--alone', name], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(options.profile === true && { BENCH_PROFILE: '1' }) },
    });
    if (status === 0)
      for (const finding of JSON.parse(stdout.toString().trim().split('\n').at(-1) ?? '[]') as Finding[])
        results.push({ bench: name, ...finding });
    else {
      process.stderr.write(`${name} failed\n`);
      process.exitCode = 1;
    }
  }
  process.stdout.write(`${table(results)}\n`);
  if (options.write === true) writePerformancePage(results);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ ...machine(), results }, null, 2)}\n`);
}

async function runAlone(bench: Bench): Promise<void> {
  const surroundings = await makeSurroundings();
  try {
    process.stdout.write(JSON.stringify(await bench.run(surroundings)));
  } finally {
    await surroundings.end();
  }
}

function benchOf(name: string): Bench {
  const bench = BENCHES.find((one) => one.name === name);
  if (bench !== undefined) return bench;
  throw new Error(`there is no bench "${name}": there are ${BENCHES.map((one) => one.name).join(', ')}`);
}

function machine(): object {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    node: process.version,
    cpu: cpu?.model,
    cores: cpus().length,
    load: loadavg()[0],
  };
}

async function main(): Promise<void> {
  if (options.alone === true) await runAlone(benchOf(names[0] ?? ''));
  else runAll();
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  // Child processes of a failed bench must not keep this process alive.
  process.exit(1);
});
