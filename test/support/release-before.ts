import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The release before this one: RELEASE_BEFORE, else the newest tag below HEAD; null where there is neither. */
export function releaseBefore(): string | null {
  const given = process.env['RELEASE_BEFORE'];
  if (given !== undefined && given !== '') return given;
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').toString().trim();
  } catch {
    return null;
  }
}

/** Builds a release in a folder of its own, with the packages that are installed here. @returns the folder */
export function buildRelease(ref: string): { root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
  execFileSync('tar', ['-x', '-C', root], { input: git('archive', ref) });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  execFileSync(process.execPath, [join(root, 'tools', 'build.mjs')], { cwd: root, stdio: 'pipe' });
  return {
    root,
    remove() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function git(...words: string[]): Buffer {
  return execFileSync('git', words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 });
}
