// Adds to package-lock.json the optional packages of other platforms that npm has left out. npm does so without a word when
// the registry does not have them (many mirrors keep a few platforms only), and `npm ci` then refuses the file everywhere. With
// the public registry it has nothing to do. Run after an install that changed the lock file.
import { readFileSync, writeFileSync } from 'node:fs';

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
writeFileSync(PATH, `${JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(sorted) } }, null, 2)}\n`);
process.stdout.write(`${missing.length} added\n`);

/** As Node looks for a package: beside the one that wants it, then upwards. */
function isLocked(path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (`${base === '' ? '' : `${base}/`}node_modules/${name}` in lock.packages) return true;
    if (base === '') return false;
  }
}

/** Such packages carry their platform in their name: @swc/core-linux-x64-gnu. */
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
