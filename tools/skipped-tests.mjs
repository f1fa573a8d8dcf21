// `node tools/skipped-tests.mjs RESULTS`: fails if jest skipped tests in RESULTS (`--json --outputFile`), because a job
// without the programs of its tests would pass without them.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Test files whose tests a CI machine may skip, with the reason. */
const MAY_SKIP = {
  'test/medium/samples/samples.spec.ts': 'reads feeds that are not in the repository',
  'test/medium/photos/changes.spec.ts': 'one test needs the right to mount',
  'libs/media/src/store/disk-store.spec.ts': 'one test needs the right to mount',
};

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const skipped = testResults.flatMap(({ name, assertionResults }) => {
  const file = relative('.', name);
  const titles = assertionResults.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName);
  return MAY_SKIP[file] === undefined ? titles.map((title) => `${file}: ${title}`) : [];
});
if (skipped.length > 0) {
  process.stderr.write(`skipped, because a program is missing:\n${skipped.map((one) => `  ${one}\n`).join('')}`);
  process.exitCode = 1;
}
