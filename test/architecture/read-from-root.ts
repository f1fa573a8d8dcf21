import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

export function readFromRoot(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
