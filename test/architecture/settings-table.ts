import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** A row of the settings table of README.md. */
export interface DocumentedSetting {
  name: string;
  /** Null when the table says that there is none. */
  default: string | null;
}

export function readFromRoot(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The settings that README.md documents, in its order. */
export function documentedSettings(): DocumentedSetting[] {
  const section = /\n## Settings\n([\s\S]*?)(?=\n## |$)/.exec(readFromRoot('README.md'))?.[1] ?? '';
  return [...section.matchAll(/^\| `([A-Z_]+)` *\| *(.*?) *\|/gm)].map(([, name, value]) => ({
    name: name!,
    default: /^`(.*)`/.exec(value!)?.[1] ?? null,
  }));
}
