import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './bench';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

type Stages = readonly (readonly [stage: string, path: RegExp])[];

/** By path of the compiled file. A frame that matches none (Node, V8, a regular expression) belongs to its caller. */
const OF_INGESTOR: Stages = [
  ['garbage collection', /^\(garbage collector\)$/],
  ['idle', /^\(idle\)$/],
  ['cutting', /connectors\/src\/engine\/cut\//],
  ['download and spool file', /connectors\/src\/engine\/fetch\/|node:_http|node:https?$/],
  ['mentions and duties', /domain\/src\/listing\/law\//],
  ['search entry', /domain\/src\/search\//],
  ['texts and hashes', /engine\/map\/(?:finished-listing|text-blocks)/],
  ['record hash', /engine\/map\/record-hash/],
  ['raw record', /kit\/raw-projection/],
  ['parsing', /connectors\/src\/formats\//],
  ['mapping', /connectors\/src\/(?:kit|sources)\/|domain\/src\/(?:listing|text)\//],
  ['COPY messages and connection', /libs\/database\/|node_modules\/pg/],
  ['run, batches and threads', /apps\/ingestor\/src\/|connectors\/src\/engine\//],
];

/** By function of the server. */
const OF_POSTGRES: Stages = [
  ['compression', /^(?:pglz|LZ4|lz4)/],
  ['write-ahead log', /^XLog|crc32|^CopyXLog|WALInsert/],
  ['indexes', /^_?bt|BTree|^index_/],
  ['constraints', /^RI_|^ri_|^ExecInit|^SPI_|^ExecutorStart|^expression_|^CachedPlan|^ResourceOwner|^SearchCatCache/],
  ['files and sockets (kernel)', /^\[k\]/],
  ['pages and buffers', /Buffer|^Page|checksum|^smgr|^mdext|^LWLock/],
  ['rows', /^heap|^Copy|^Next|^tts_|^fill_|^pg_utf8|^pg_verify|^AllocSet|^palloc|^hash|^text/],
];

/** Shares the CPU time of the programs among the stages of an import. */
export function ingestorStages(directory: string, records: number): Finding[] {
  const spent = new Map<string, number>();
  for (const file of readdirSync(directory)) {
    const profile = JSON.parse(readFileSync(join(directory, file), 'utf8')) as CpuProfile;
    for (const [stage, us] of stagesOf(profile)) spent.set(stage, (spent.get(stage) ?? 0) + us);
  }
  spent.delete('idle');
  return findings('ingestor', spent, records);
}

function stagesOf({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stageOf = (id: number | undefined): string => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = byId.get(at)!.callFrame;
      const found = OF_INGESTOR.find(([, path]) => path.test(url === '' ? functionName : url));
      if (found !== undefined) return found[0];
    }
    return 'other work of the process';
  };
  const spent = new Map<string, number>();
  samples.forEach((id, index) => {
    const stage = stageOf(id);
    spent.set(stage, (spent.get(stage) ?? 0) + timeDeltas[index]!);
  });
  return spent;
}

/** Samples the processes of PostgreSQL with `perf`; undefined where it is not installed. */
export function samplePostgres(file: string): { end(): Promise<void> } | undefined {
  try {
    execFileSync('perf', ['--version']);
  } catch {
    return undefined;
  }
  const perf = spawn('perf', ['record', '-a', '-F', '997', '-e', 'cpu-clock', '-o', file], { stdio: 'ignore' });
  return {
    async end() {
      perf.kill('SIGINT');
      await once(perf, 'exit');
    },
  };
}

/** @param cpuUs the CPU time of PostgreSQL per record */
export function postgresStages(file: string, cpuUs: number): Finding[] {
  const options = ['report', '-i', file, '--comm', 'postgres', '--sort', 'symbol', '--stdio'];
  const report = execFileSync('perf', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // A line of the report: `3.92%  [.] pglz_compress`.
  const lines = report.split('\n').map((line) => line.trim().split(/\s+/));
  const shares = lines.filter(([share]) => share?.endsWith('%') === true);
  const total = shares.reduce((sum, [share]) => sum + parseFloat(share!), 0);
  const spent = new Map<string, number>();
  for (const [share, kind, symbol] of shares) {
    const name = kind === '[k]' ? '[k]' : symbol!;
    const stage = OF_POSTGRES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other functions';
    spent.set(stage, (spent.get(stage) ?? 0) + (parseFloat(share!) / total) * cpuUs);
  }
  return findings('PostgreSQL', spent, 1);
}

function findings(program: string, spent: ReadonlyMap<string, number>, records: number): Finding[] {
  return [...spent]
    .toSorted(([, one], [, other]) => other - one)
    .map(([stage, us]) => ({ what: `${program}: ${stage}`, value: us / records, goal: null, unit: 'µs', detail: '' }));
}
