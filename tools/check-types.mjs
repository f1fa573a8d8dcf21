// `npm run check:types [-- folder …]`: checks the types of the whole project with the native compiler, which takes a quarter of
// the time of tsc. With folders, it prints only diagnostics below them. The native compiler is only a checker: swc builds, and
// typescript-eslint uses the types of TypeScript itself.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
// npm runs scripts in the project's root; INIT_CWD is the user's folder.
const folders = process.argv.slice(2).map((folder) => resolve(process.env.INIT_CWD ?? '.', folder));
const unknown = folders.find((folder) => !existsSync(folder));
if (unknown !== undefined) {
  process.stderr.write(`there is no folder or file ${unknown}\n`);
  process.exit(2);
}

const compiler = join(
  dirname(createRequire(import.meta.url).resolve('@typescript/native-preview/package.json')),
  'bin',
  'tsgo',
);
const options = ['--noEmit', '--pretty', 'false', '--project', join(ROOT, 'tsconfig.json')];
const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, ...options], {
  ...{ cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
});
const prefixes = folders.map((folder) => relative(ROOT, folder));
// A diagnostic begins with its file; the lines of its explanation are indented.
const diagnostics = stdout.split(/\n(?=\S)/).filter((text) => text.trim() !== '');
const found = prefixes.length === 0 ? diagnostics : diagnostics.filter(isBelow);
if (found.length > 0) process.stdout.write(`${found.map((text) => text.trimEnd()).join('\n')}\n`);
process.stderr.write(stderr);
process.exit(prefixes.length === 0 ? (status ?? 1) : Number(found.length > 0 || status === null));

/** A diagnostic without a file concerns the whole project, so it belongs to every folder. */
function isBelow(diagnostic) {
  const [, file] = /^([^\s(]+)\(\d+,\d+\): /.exec(diagnostic) ?? [];
  return (
    file === undefined || prefixes.some((prefix) => prefix === '' || file === prefix || file.startsWith(`${prefix}/`))
  );
}
