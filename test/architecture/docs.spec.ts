import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const PAGES = ['.', 'docs', 'docs/decisions', 'libs/connectors/src/sources']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder.endsWith('sources') }).map((name) =>
      join(ROOT, folder, String(name)),
    ),
  )
  .filter((path) => path.endsWith('.md'));

describe.each(PAGES.map((path) => [relative(ROOT, path), readFileSync(path, 'utf8')]))('%s', (page, text) => {
  it('links to pages and files that are there', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    );
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...text.matchAll(/npm run (?:-s )?([a-z][a-z:]*)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});
