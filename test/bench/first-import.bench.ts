import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, importNow } from './gateways';
import { alternating, medianOf, timed } from './rounds';

const RECORDS = 10_000;
const ROUNDS = 5;

/**
 * Compares an import, from a file in the inbox to a published snapshot, with the time that the general XML parser alone
 * needs for the same file.
 */
export const firstImport: Bench = {
  name: 'first-import',
  async run(surroundings) {
    const file = await drop(surroundings, 'feed.xml', kyeroFeed(RECORDS));
    const parser = fork(join(__dirname, 'fast-xml-parser-alone.js'));
    const cpuUs: number[] = [];
    const pipelineMs: number[] = [];
    const { pipeline, alone } = await alternating(ROUNDS, {
      async pipeline() {
        const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
        const before = process.cpuUsage();
        const ms = await timed(async () => {
          const end = await importNow(surroundings, gateway);
          if (end.figures.added !== RECORDS) throw new Error(`the import came out ${end.state}`);
        });
        const { user, system } = process.cpuUsage(before);
        cpuUs.push((user + system) / RECORDS);
        pipelineMs.push(ms);
        return ms;
      },
      async alone() {
        parser.send(file);
        const [{ ms }] = (await once(parser, 'message')) as [{ ms: number }];
        return ms;
      },
    });
    parser.kill();
    const [firstMs = NaN] = pipelineMs;
    return [
      {
        what: 'first import, whole pipeline, against fast-xml-parser alone',
        value: alone / pipeline,
        goal: { min: 1.2 },
        unit: '×',
        detail: `${RECORDS} records in ${Math.round(pipeline)} ms, parsed alone in ${Math.round(alone)} ms`,
      },
      {
        what: 'the same in a new process, against the parser when it is warm',
        value: alone / firstMs,
        goal: { min: 0.9 },
        unit: '×',
        detail: `the first of the process took ${Math.round(firstMs)} ms`,
      },
      {
        what: "first import, the ingestor's CPU for a record of 2.6 KB",
        value: medianOf(cpuUs.slice(1)),
        goal: { max: 350 },
        unit: 'µs',
        detail: 'garbage collection included, PostgreSQL not',
      },
    ];
  },
};
