// Does nothing if dist/ is up to date. Plain JavaScript, because it runs before the first build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, 'built-from');
// One TypeScript project for everything, because several projects would read libraries repeatedly.
const PROJECT = 'tools';
const SOURCE_FOLDERS = ['apps', 'libs', 'tools'];
const NEST = '@nestjs/cli/bin/nest.js';
const SETTINGS = ['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** The stamp of the programs in an archive of a release, which need no compiler. */
const OF_RELEASE = 'release';

/** Builds changed files. The programs of a release stay as they are without a compiler. On failure it throws an error with one line, after the compiler has printed its messages. */
export async function build() {
  const stamp = readStamp();
  if (stamp === OF_RELEASE && !isInstalled(NEST)) return;
  const state = sourceState();
  if (stamp === state) return;
  process.stdout.write(stamp === null ? 'Building, which takes about half a minute the first time…\n' : 'Building…\n');
  rmSync(STAMP, { force: true });
  removeOutputsWithoutSource(DIST);
  const nest = find(NEST);
  const children = [];
  const stop = (signal) => {
    for (const child of children) child.kill();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await buildProject(nest, PROJECT, children);
    await run([find('tsx/cli'), join(ROOT, 'tools', 'api-docs.ts')], 'the documents of the API', children);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  writeFileSync(STAMP, state);
}

/** Also builds the benches. The compiler detects changes by itself. */
export async function buildBenches() {
  await build();
  await buildProject(find(NEST), 'bench', []);
}

function buildProject(nest, project, children) {
  return run([nest, 'build', project], `the build of "${project}"`, children);
}

function run(args, what, children) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    children.push(child);
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${what} failed`));
    });
  });
}

function find(program) {
  try {
    return createRequire(import.meta.url).resolve(program);
  } catch {
    throw new Error('the compiler is not installed: run "npm ci" first (with the development packages)');
  }
}

function isInstalled(program) {
  try {
    return find(program) !== '';
  } catch {
    return false;
  }
}

/** Marks the programs as those of a release, and removes what only the next build reads. */
function markAsReleased() {
  writeFileSync(STAMP, OF_RELEASE);
  rmSync(join(DIST, 'build.tsbuildinfo'), { force: true });
}

/** Changes whenever a build could have a different result. */
function sourceState() {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...SETTINGS, ...SOURCE_FOLDERS.flatMap((folder) => sourcesIn(folder))].sort()) {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function sourcesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => /\.(ts|json|webp)$/.test(path) && !path.endsWith('.spec.ts'))
    .map((path) => join(folder, path));
}

function readStamp() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : null;
}

/** Programs find connectors by their folders, so a removed connector must not remain in dist/. */
function removeOutputsWithoutSource(folder) {
  if (!existsSync(folder)) return;
  for (const path of readdirSync(folder, { recursive: true })) {
    const source = join(ROOT, relative(DIST, join(folder, path)).replace(/\.js$/, '.ts'));
    if (path.endsWith('.js') && !existsSync(source)) rmSync(join(folder, path));
  }
}

if (process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === import.meta.url) {
  try {
    await build();
    if (process.argv[2] === '--for-release') markAsReleased();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
