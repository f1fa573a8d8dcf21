import { spawnSync } from 'node:child_process';
import { backup } from './backup.bench';
import { type Bench, shown } from './bench';
import { deepPage } from './deep-page.bench';
import { dump } from './dump.bench';
import { fairness } from './fairness.bench';
import { firstImport } from './first-import.bench';
import { hostile } from './hostile.bench';
import { memory } from './memory.bench';
import { pageDatabase } from './page-database.bench';
import { pageMemory } from './page-memory.bench';
import { photos } from './photos.bench';
import { reImport } from './re-import.bench';
import { makeSurroundings } from './surroundings';

const BENCHES: readonly Bench[] = [
  pageMemory,
  pageDatabase,
  firstImport,
  reImport,
  photos,
  memory,
  deepPage,
  dump,
  fairness,
  hostile,
  backup,
];

/** Without a name: each bench in a process and a database of its own, so that none finds what another left. */
async function main(names: readonly string[]): Promise<void> {
  if (names.length !== 1) {
    for (const name of names.length === 0 ? BENCHES.map((bench) => bench.name) : names) {
      spawnSync(process.execPath, [__filename, name], { stdio: 'inherit' });
    }
    return;
  }
  const bench = BENCHES.find(({ name }) => name === names[0]);
  if (bench === undefined) {
    const known = BENCHES.map(({ name }) => name).join(', ');
    throw new Error(`there is no bench "${names[0] ?? ''}": there are ${known}`);
  }
  const surroundings = await makeSurroundings();
  try {
    for (const finding of await bench.run(surroundings)) process.stdout.write(`${shown(finding)}\n`);
  } finally {
    await surroundings.end();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
