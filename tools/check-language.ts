// `npm run check:language [-- folder …]`: fails if it finds a pattern of unclear language in texts or commit titles.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { passagesOf } from './check-language/passages';
import { findingsIn, findingsInTitle, type Finding } from './check-language/patterns';
import { EXCEPTIONS, UNREAD } from './check-language/scope';

const READ = /\.(?:[cm]?js|ts|php|css|md|txt|ya?ml|sh|tpl|json|caddy|service)$|^(?:\.ci\/|Dockerfile|.*\/Caddyfile)/;
const COMMENTS_PER_EXCEPTION = 500;

const folders = process.argv.slice(2).map((folder) => folder.replace(/\/$/, ''));
const used = new Set<string>();
let comments = 0;

for (const path of git('ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0')) {
  if (!READ.test(path) || !isSelected(path) || UNREAD.some((unread) => unread.path.test(path))) continue;
  const passages = passagesOf(path, readFileSync(path, 'utf8'));
  comments += passages.filter(({ kind }) => kind === 'comment').length;
  for (const finding of passages.flatMap(findingsIn)) {
    const exception = EXCEPTIONS.find((one) => one.path === path && finding.sentence.includes(one.sentence));
    if (exception !== undefined) used.add(exception.sentence);
    else report(path, finding);
  }
}

for (const title of titlesOfCommits()) for (const finding of findingsInTitle(title)) report('commit', finding);
if (folders.length === 0) {
  const unused = EXCEPTIONS.filter((one) => !used.has(one.sentence));
  for (const { path, sentence } of unused) fail(`${path}: remove the exception that matches nothing: ${sentence}`);
  if (EXCEPTIONS.length * COMMENTS_PER_EXCEPTION > comments) fail(`${EXCEPTIONS.length} exceptions are too many`);
}

function isSelected(path: string): boolean {
  return folders.length === 0 || folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** The titles after the commit that added this check; none in a shallow clone, where that commit is unknown. */
function titlesOfCommits(): string[] {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'tools/check-language.ts').split('\n')[0] ?? '';
  if (added === '') return [];
  return git('log', '--no-merges', '--format=%s', `${added}..HEAD`)
    .split('\n')
    .filter((title) => title !== '');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

function report(path: string, { line, pattern, sentence }: Finding): void {
  fail(`${path}${line === 0 ? '' : `:${line}`}: ${pattern}: ${sentence}`);
}

function fail(text: string): void {
  process.exitCode = 1;
  process.stdout.write(`${text}\n`);
}
