// Adds packages to package-lock.json that npm omits if the registry only answers for some platforms; without them, `npm
// ci` rejects the file. Also adds missing digests, because npm does not check a package without `integrity`.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PATH = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = ['darwin', 'win32', 'linux', 'android', 'freebsd', 'openharmony'];
const PROCESSORS = ['arm64', 'x64', 'arm', 'ppc64', 's390x', 'riscv64', 'ia32', 'loong64'];

const lock = JSON.parse(readFileSync(PATH, 'utf8'));
const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => [`node_modules/${name}`, entryOf(name, version, dev)]),
);
const { '': root, ...packages } = { ...lock.packages, ...Object.fromEntries(missing) };
const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
const unchecked = sorted.filter(([, { integrity, link }]) => integrity === undefined && link !== true);
for (const [path, entry] of unchecked) entry.integrity = await readIntegrity(path, entry);
writeFileSync(PATH, `${JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(sorted) } }, null, 2)}\n`);
process.stdout.write(`${missing.length} added, ${unchecked.length} digests read\n`);

async function readIntegrity(path, { name = path.replace(/^.*node_modules\//, ''), version }) {
  const { stdout } = await run('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json']);
  const integrity = stdout.trim() === '' ? null : JSON.parse(stdout);
  if (!/^sha512-/.test(integrity)) throw new Error(`the registry has no digest of ${name}@${version}`);
  return integrity;
}

/** Searches like Node: next to the package that needs `name`, then in the folders above. */
function isLocked(path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (`${base === '' ? '' : `${base}/`}node_modules/${name}` in lock.packages) return true;
    if (base === '') return false;
  }
}

/** The name contains the platform, as in @swc/core-linux-x64-gnu. */
function entryOf(name, version, dev) {
  const words = name.split('/').at(-1).split('-');
  const system = SYSTEMS.find((one) => words.includes(one));
  const processor = PROCESSORS.find((one) => words.includes(one));
  if (system === undefined || !/^\d/.test(version)) throw new Error(`${name}@${version}: add it by hand`);
  return {
    version,
    ...(processor !== undefined && { cpu: [processor] }),
    ...(dev === true && { dev }),
    ...(words.some((word) => word.startsWith('musl')) && { libc: ['musl'] }),
    ...(system === 'linux' && words.some((word) => word.startsWith('gnu')) && { libc: ['glibc'] }),
    optional: true,
    os: [system],
  };
}
