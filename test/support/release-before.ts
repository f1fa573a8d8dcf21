import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/**
 * The previous release: RELEASE_BEFORE, or the newest tag before HEAD, or, without tags, the commit that CHANGELOG.md
 * names. Null without the history, as in an archive or a shallow clone.
 */
export function releaseBefore(): string | null {
  const given = process.env['RELEASE_BEFORE'];
  if (given !== undefined && given !== '') return given;
  const [, noted] = /^Previous release: `([0-9a-f]{40})`/m.exec(changelog()) ?? [];
  return (
    said('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^') ??
    (noted === undefined ? null : said('rev-parse', '--verify', '--quiet', `${noted}^{commit}`))
  );
}

/** The commit before the one that added a file; null if this folder does not contain the history. */
export function commitBefore(path: string): string | null {
  const added = said('log', '--diff-filter=A', '--format=%H', '-1', '--', path);
  return added === null || added === '' ? null : said('rev-parse', '--verify', '--quiet', `${added}^`);
}

/**
 * The reason why there is no previous release, for the title of a skipped test. @throws Error if this folder contains
 * the history, because then a previous release must exist
 */
export function whyNoReleaseBefore(): string {
  const isWhole = said('rev-parse', '--is-shallow-repository') === 'false';
  if (isWhole) throw new Error('CHANGELOG.md names no release before, and there is no tag: nothing is held against it');
  return 'this folder does not hold the history';
}

function changelog(): string {
  return readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
}

function said(...words: string[]): string | null {
  try {
    return git(...words)
      .toString()
      .trim();
  } catch {
    return null;
  }
}

/**
 * The files that build a release. Their current versions do not check types, so they build the same programs in a sixth
 * of the time.
 */
const HOW_TO_BUILD = ['tools/build.mjs', 'nest-cli.json', 'tsconfig.build.json'];

/**
 * Builds a release in a separate folder, with the packages that are installed here. @returns the folder, and a function
 * that removes it
 */
export function buildRelease(ref: string): { root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
  execFileSync('tar', ['-x', '-C', root], { input: git('archive', ref) });
  for (const file of HOW_TO_BUILD) copyFileSync(join(ROOT, file), join(root, file));
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
