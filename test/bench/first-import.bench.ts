import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRETS_KEY } from './bench-browser';
import type { Bench, Finding } from './bench';
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time';
import { addGateway, drop, importedBy } from './gateways';
import { ingestorStages, postgresStages, samplePostgres } from './import-profile';
import { alternating, medianOf } from './rounds';
import type { Surroundings } from './surroundings';
import { type TextLength, variedFeed } from './varied-feed';
import { sized } from './size';

const ROUNDS = sized(5, 1);
/** Gives records of 3.3 KB. */
const SENTENCES: TextLength = [11, 15];

interface Import {
  ms: number;
  /** CPU time per record, in µs. */
  ingestorUs: number;
  postgresUs: number;
}

/**
 * Compares an import over HTTP by a running ingestor, from the request to the published snapshot, with the time that
 * the general XML parser alone needs for the same file.
 */
export const firstImport: Bench = {
  name: 'first-import',
  async run(surroundings) {
    const records = sized(12_000, 500);
    const feed = variedFeed(records, 7, undefined, SENTENCES);
    const file = await drop(surroundings, 'feed.xml', [feed]);
    const crm = fork(join(__dirname, 'feed-process.js'));
    const [host] = (await once(crm, 'message')) as [string];
    crm.send(file);
    await once(crm, 'message');
    const parser = fork(join(__dirname, 'fast-xml-parser-alone.js'));
    const profiles = process.env['BENCH_PROFILE'] === undefined ? null : await mkdtemp(join(tmpdir(), 'profiles-'));
    const ingestor = await surroundings.start(
      'apps/ingestor/src/main.js',
      { SECRETS_KEY, ALLOW_PRIVATE_SOURCES: host },
      profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`],
    );
    const samples = join(surroundings.inboxDir, 'perf.data');
    const sampling = profiles === null ? undefined : samplePostgres(samples);
    const imports: Import[] = [];
    const { pipeline, alone } = await alternating(ROUNDS, {
      async pipeline() {
        const one = await importWatched(surroundings, { host, pid: ingestor.pid, records });
        imports.push(one);
        return one.ms;
      },
      async alone() {
        parser.send(file);
        const [{ ms }] = (await once(parser, 'message')) as [{ ms: number }];
        return ms;
      },
    });
    parser.kill();
    crm.kill();
    await sampling?.end();
    const [first, ...warm] = imports;
    const postgresUs = medianOf(warm.map((one) => one.postgresUs));
    const stages: Finding[] = sampling === undefined ? [] : postgresStages(samples, postgresUs);
    if (profiles !== null) {
      await ingestor.stop();
      stages.unshift(...ingestorStages(profiles, records * imports.length));
      await rm(profiles, { recursive: true });
    }
    const size = `${(feed.length / records / 1000).toFixed(1)} KB and 12 photos`;
    return [
      {
        what: 'first import over HTTP, whole pipeline, against fast-xml-parser alone',
        value: alone / pipeline,
        goal: { min: 1.25 },
        unit: '×',
        detail: `${records} records in ${Math.round(pipeline)} ms, parsed alone in ${Math.round(alone)} ms`,
      },
      {
        what: 'the first one of a new process, against the parser when it is warm',
        value: alone / (first?.ms ?? NaN),
        goal: { min: 0.9 },
        unit: '×',
        detail: `${Math.round(first?.ms ?? NaN)} ms`,
      },
      {
        what: `first import, the ingestor's CPU for a record of ${size}`,
        value: medianOf(warm.map(({ ingestorUs }) => ingestorUs)),
        goal: { max: 220 },
        unit: 'µs',
        detail: `with garbage collection; ${Math.round(first?.ingestorUs ?? NaN)} µs in a new process`,
      },
      {
        what: "first import, PostgreSQL's CPU for the same record",
        value: postgresUs,
        goal: { max: 55 },
        unit: 'µs',
        detail: 'with its background processes',
      },
      ...stages,
    ];
  },
};

async function importWatched(
  surroundings: Surroundings,
  { host, pid, records }: { host: string; pid: number; records: number },
): Promise<Import> {
  const gateway = await addGateway(surroundings, 'kyero', `http://${host}/feed.xml`);
  const before = { ingestorMs: cpuTimeOf(pid), postgresMs: cpuTimeOfPostgres() };
  const ms = await importedBy(surroundings, gateway.id);
  const perRecord = (cpuMs: number): number => (cpuMs * 1000) / records;
  return {
    ms,
    ingestorUs: perRecord(cpuTimeOf(pid) - before.ingestorMs),
    postgresUs: perRecord(cpuTimeOfPostgres() - before.postgresMs),
  };
}
