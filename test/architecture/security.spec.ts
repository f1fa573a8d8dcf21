import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFromRoot } from './read-from-root';

const ROOT = join(__dirname, '..', '..');
const ROWS = readFromRoot('SECURITY.md')
  .split('\n')
  .filter((line) => line.includes('.spec.ts](') && line.startsWith('| '));
const NAMED = ROWS.flatMap((row) =>
  [...row.matchAll(/\[[\w.-]+\]\(([^)]+\.spec\.ts)\)(?: "([^"]+)")?/g)].map(([, path = '', title]) => ({
    path,
    title,
  })),
);

describe('SECURITY.md', () => {
  it('names tests for every row of its tables', () => {
    const tables = [...readFromRoot('SECURITY.md').matchAll(/<!-- (\w+) -->\n([^]*?)<!-- \/\1 -->/g)];
    expect(tables.map(([, name]) => name)).toEqual(['owasp', 'ssrf', 'xml', 'archives']);
    for (const [, , table = ''] of tables) {
      const rows = table.split('\n').filter((line) => /^\| (?!risk|attack)/.test(line));
      expect(rows.filter((row) => !row.includes('.spec.ts]') && !row.includes('table below'))).toEqual([]);
    }
  });

  it.each(NAMED)('names an existing test: $path "$title"', ({ path, title }) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    if (title === undefined) return;
    const titles = [...readFromRoot(path).matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`\n]+)`/g)].map(
      ([, single, double, template]) => single ?? double ?? template,
    );
    expect(titles).toContain(title);
  });
});
