// `node tools/test-again.mjs RESULTS FLAKY`: runs the files that failed in RESULTS (jest's `--json --outputFile`) one
// by one, and writes those that pass now to FLAKY. It fails if a file fails again.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** If more files failed, the cause is a defect, not chance. */
const MOST = 10;

const [results, flaky] = process.argv.slice(2);
const failed = failedFiles();
if (failed.length === 0 || failed.length > MOST) {
  process.stdout.write(`${failed.length} test files failed: none runs again\n`);
  process.exit(1);
}

process.stdout.write(`running again, alone: ${failed.join(', ')}\n`);
rmSync(results);
const paths = failed.map((file) => `/${file.replace(/[^\w/-]/g, String.raw`\$&`)}$`);
const options = ['--maxWorkers=1', '--json', `--outputFile=${results}`, '--testPathPatterns', ...paths];
const { status } = spawnSync('npx', ['jest', ...options], { stdio: 'inherit' });
const failedAgain = new Set(failedFiles());
writeFileSync(
  flaky,
  failed
    .filter((file) => !failedAgain.has(file))
    .map((file) => `${file}\n`)
    .join(''),
);
process.exit(status ?? 1);

/** The failed files, as paths from the repository's root. Jest writes no results if it cannot start. */
function failedFiles() {
  if (!existsSync(results)) return [];
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  return [...new Set(testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name)))];
}
