import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expectSection, markdownTable } from '../support/generated-section';

const ROOT = join(__dirname, '..', '..');
const PAGES = ['.', 'docs', 'docs/decisions', 'docs/connectors', 'libs/connectors/src/sources']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder.endsWith('sources') }).map((name) =>
      join(ROOT, folder, String(name)),
    ),
  )
  .filter((path) => path.endsWith('.md'));

describe.each(PAGES.map((path) => [relative(ROOT, path), readFileSync(path, 'utf8')]))('%s', (page, text) => {
  it('links only to existing pages and files', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    );
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  });

  it('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...text.matchAll(/npm run (?:-s )?([a-z][a-z:]*)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

describe('docs/decisions/README.md', () => {
  it('lists number, title, status and purpose of each decision page', () => {
    const names = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
    const rows = names
      .sort()
      .map((name) => decisionRow(name, readFileSync(join(ROOT, 'docs/decisions', name), 'utf8')));
    expectSection('docs/decisions/README.md', 'decisions', markdownTable(['', 'title', 'status', ''], rows));
  });
});

function decisionRow(name: string, text: string): string[] {
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
  const [, status, purpose] = /^Status: ([^.]+)\. (.+)$/m.exec(text) ?? [];
  if (number === undefined || title === undefined || Number(number) !== Number(name.slice(0, 4)))
    throw new Error(`${name} begins with another title than "# ${String(Number(name.slice(0, 4)))}. …"`);
  if (status === undefined || purpose === undefined)
    throw new Error(`${name} has no line "Status: in force. Its purpose."`);
  return [number, `[${title}](${name})`, status, purpose];
}
