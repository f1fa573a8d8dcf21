import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Target } from './contracts';

const FILES = ['target.js', 'target.ts'];
const TARGETS = join(__dirname, '..', 'targets');
// The folders are only known at run time. This works in compiled code and in TypeScript sources.
const load = createRequire(__filename);

/**
 * Loads one target from each folder of `targets/`, sorted by code; a target needs no other registration. @throws Error
 * that names the folder and the fault
 */
export function createTargets(directory: string = TARGETS): ReadonlyMap<string, Target> {
  const folders = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return new Map(folders.sort().map((name): [string, Target] => [name, loadTarget(name, directory)]));
}

function loadTarget(name: string, directory: string): Target {
  const refuse = (why: string): Error => new Error(`targets/${name} ${why}`);
  const file = FILES.map((candidate) => join(directory, name, candidate)).find(existsSync);
  if (file === undefined) throw refuse('has no target.ts');
  const exported: unknown = load(file);
  const target = isRecord(exported) ? exported['target'] : undefined;
  // `defineTarget` has checked every other member.
  if (!isRecord(target) || typeof target['advert'] !== 'function')
    throw refuse('has a target.ts that does not export "target"');
  if (target['code'] !== name)
    throw refuse(`exports the target "${String(target['code'])}": code and folder must be the same`);
  return target as unknown as Target;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
