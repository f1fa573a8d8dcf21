import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Check, earlierSection, pageText, type RunFacts, sectionText } from './report/page';
import { type ReportSection, SECTIONS } from './report/sections';

const PAGE = 'docs/compliance.md';
const ROOT = join(__dirname, '..');

interface JestResult {
  testResults: {
    name: string;
    message: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}

/** `npm run report [-- --all]`: runs the checks, writes docs/compliance.md, and exits with 1 if a check failed. */
function main(): void {
  process.chdir(ROOT);
  const runsAll = process.argv.includes('--all');
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const facts = runFacts();
  const failed: string[] = [];
  const sections = SECTIONS.map((section) => {
    if (section.config === 'jest.long.config.js' && !runsAll)
      return earlierSection(page, section.title) ?? `## ${section.title}\n\nNot run yet: \`npm run report -- --all\`.`;
    const checks = run(section);
    failed.push(...checks.filter(({ status }) => status === 'failed').map(({ title }) => title));
    return sectionText(section, checks, facts);
  });
  writeFileSync(PAGE, pageText(sections, readFileSync('docs/performance.md', 'utf8')));
  process.stdout.write(`${PAGE} is written. Failed: ${failed.join(', ') || 'none'}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function run({ title, config, rows }: ReportSection): Check[] {
  process.stdout.write(`${title}…\n`);
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    const output = join(folder, 'results.json');
    const specs = rows.flatMap((row) => row.specs);
    const args = ['jest', '--config', config, '--silent', '--json', '--outputFile', output];
    spawnSync('npx', [...args, '--', ...specs], { stdio: ['ignore', 'ignore', 'inherit'] });
    const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as JestResult;
    return testResults.flatMap(({ name, message, assertionResults }) => {
      const spec = relative(ROOT, name);
      const checks = assertionResults.map(({ ancestorTitles, title: own, status }): Check => ({
        ...{ spec, title: [...ancestorTitles, own].join(' ') },
        status: status === 'passed' || status === 'failed' ? status : 'skipped',
      }));
      return checks.length > 0 ? checks : [{ spec, title: message.split('\n')[0] ?? spec, status: 'failed' }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runFacts(): RunFacts {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  return { commit, date: new Date().toISOString().slice(0, 10), node: process.version.slice(1) };
}

main();
