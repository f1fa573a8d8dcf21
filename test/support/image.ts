import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = process.cwd();

interface Stage {
  name: string;
  copies: { from: string | undefined; sources: string[]; target: string }[];
  runs: string[];
}

/**
 * Copies the files of the image's /app into a folder, as the Dockerfile says. Uses the existing build, and the
 * installed packages of the lock file except development packages.
 */
export function assembleImage(folder: string): void {
  const stages = stagesOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const last = stages.at(-1)!;
  for (const { from, sources, target } of last.copies) {
    if (from === 'dependencies')
      installPackages(
        folder,
        stages.find(({ name }) => name === from)!,
      );
    else
      for (const source of sources)
        copy(join(ROOT, source.replace(/^\/app\//, '')), join(folder, pathOf(target, source)));
  }
}

/** The total size of all files below a folder, as an image counts it. */
export function bytesOf(folder: string): number {
  return filesOf(folder).reduce((bytes, file) => bytes + lstatSync(join(folder, file)).size, 0);
}

/** All files below a folder, by relative path. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    const stage = stages.at(-1);
    if (word === 'FROM') stages.push({ name: rest[2] ?? '', copies: [], runs: [] });
    if (word === 'RUN') stage?.runs.push(rest.join(' '));
    if (word === 'COPY') {
      const paths = rest.filter((path) => !path.startsWith('--'));
      const from = rest.find((path) => path.startsWith('--from='))?.slice('--from='.length);
      stage?.copies.push({ from, sources: paths.slice(0, -1), target: paths.at(-1)! });
    }
  }
  return stages;
}

function pathOf(target: string, source: string): string {
  return target.endsWith('/') ? join(target, basename(source)) : target;
}

function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  // The build of the benches adds `testing` folders, which are not part of the image.
  cpSync(source, target, { recursive: true, filter: (path) => basename(path) !== 'testing' });
}

/**
 * Copies the packages that `npm ci --omit=dev` installs, and then removes files as the stage of the Dockerfile does.
 */
function installPackages(folder: string, { runs }: Stage): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const tools = Object.entries(packages).filter(([, { dev }]) => dev === true);
  const leftOut = ['node_modules/.cache', ...tools.map(([path]) => path)].join('\n');
  execFileSync('sh', ['-ec', 'tar -c --anchored -X - node_modules | tar -x -C "$1"', 'sh', folder], {
    cwd: ROOT,
    input: leftOut,
  });
  const [install, ...rest] = runs.join(' && ').split(' && ');
  if (install?.trim() !== 'npm ci --omit=dev') throw new Error(`the Dockerfile installs its packages by: ${install}`);
  execFileSync('sh', ['-ec', rest.join(' && ')], { cwd: folder });
}
