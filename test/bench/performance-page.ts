import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cells, type Result } from './bench';

const PAGE = 'docs/performance.md';
const [START, END] = ['<!-- benches -->', '<!-- /benches -->'];
const HEAD = ['| bench | operation | measured | goal | details | commit, date |', '|---|---|---|---|---|---|'];

/** Replaces the lines of the benches that ran in `docs/performance.md`, each with the commit and date of the run. */
export function writePerformancePage(results: readonly Result[]): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, withResults(page, results, `${commit()}, ${new Date().toISOString().slice(0, 10)}`));
}

/** @throws Error when the page has no table of benches */
export function withResults(page: string, results: readonly Result[], run: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} lacks ${START} or ${END}`);
  const measured = new Set(results.map(({ bench }) => bench));
  const kept = page
    .slice(start + START.length, end)
    .split('\n')
    .filter((line) => line.startsWith('| `') && !measured.has(line.split('`')[1]!));
  const lines = results.map((result) => {
    const [, what, value, goal, verdict, detail] = cells(result);
    return `| \`${result.bench}\` | ${what} | ${value} | ${goal}${verdict === 'MISSED' ? ', missed' : ''} | ${detail} | ${run} |`;
  });
  const table = [...HEAD, ...[...kept, ...lines].toSorted((one, other) => benchOf(one).localeCompare(benchOf(other)))];
  return `${page.slice(0, start)}${START}\n\n${table.join('\n')}\n\n${page.slice(end)}`;
}

function benchOf(line: string): string {
  return line.split('`')[1]!;
}

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', 'apps', 'libs') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' and changes' : ''}`;
}
