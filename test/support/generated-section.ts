import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const UPDATE = 'npm run docs';
const ROOT = join(__dirname, '..', '..');

/**
 * Compares the section of a page between `<!-- name -->` and `<!-- /name -->` with the text generated from the code.
 * With `UPDATE_DOCS=1` it writes the section instead.
 */
export function expectSection(page: string, name: string, markdown: string): void {
  const path = join(ROOT, page);
  const text = readFileSync(path, 'utf8');
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start === -1 || end < start) throw new Error(`${page} has no section ${open} … ${close}`);
  const expected = `${text.slice(0, start + open.length)}\n\n${markdown}\n\n${text.slice(end)}`;
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, expected);
  else if (text !== expected) throw new Error(`${page} is behind the code: ${UPDATE} writes it`);
}

/** Compares a whole file with the text generated from the code. With `UPDATE_DOCS=1` it writes the file instead. */
export function expectFile(file: string, expected: string): void {
  const path = join(ROOT, file);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, expected);
  else if (readFileSync(path, 'utf8') !== expected) throw new Error(`${file} is behind the code: ${UPDATE} writes it`);
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`);
  return [lines[0], `|${head.map(() => '---|').join('')}`, ...lines.slice(1)].join('\n');
}
