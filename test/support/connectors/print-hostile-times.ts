import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureRecords, PAYLOADS, textOf, withText } from './hostile-records';

// The program of the bench `hostile`. It writes to stdout, as JSON, the slowest record of each connector with 100 KB in
// one of its texts.

const LENGTH = 100_000;
const TRIED = PAYLOADS.filter(({ end }, index) => end !== '' && index % 16 === 1);

interface Slowest {
  connector: string;
  ms: number;
  /** The name of the text and the payload that took longest. */
  by: string;
}

async function slowestOf(connector: string): Promise<Slowest> {
  const slowest = { connector, ms: 0, by: '' };
  const seen = new Set<string>();
  for (const { bytes, leaves, map } of await fixtureRecords(connector)) {
    for (const leaf of leaves.filter(({ name }) => !seen.has(name))) {
      seen.add(leaf.name);
      for (const payload of TRIED) {
        const hostile = withText(bytes, [leaf], textOf(payload, LENGTH));
        let ms = map(hostile);
        if (ms > slowest.ms) ms = Math.min(ms, map(hostile));
        if (ms > slowest.ms) Object.assign(slowest, { ms, by: `${leaf.name}: ${JSON.stringify(payload.unit)}` });
      }
    }
  }
  return slowest;
}

async function main(): Promise<void> {
  const found: Slowest[] = [];
  for (const connector of readdirSync(join(__dirname, '../../../libs/connectors/src/sources')))
    found.push(await slowestOf(connector));
  process.stdout.write(JSON.stringify(found));
}

void main();
