import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Builds the package as ESM and as CommonJS, each with its types. Works in a clone without installed dependencies.
const { resolve } = createRequire(import.meta.url);
const root = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

function findCompiler() {
  resolve('@types/node/package.json');
  return resolve('typescript/bin/tsc');
}

let tsc;
try {
  tsc = findCompiler();
} catch {
  // If `npm pack` runs this script, npm pack's settings must not affect the installation.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(?:dry_run|pack_destination|json|production|omit)$/.test(name),
    ),
  );
  const options = [
    'install',
    '--include=dev',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
  ];
  execFileSync('npm', options, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  tsc = findCompiler();
}

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });
for (const [name, module, type] of [
  ['esm', 'node20', 'module'],
  ['cjs', 'commonjs', 'commonjs'],
]) {
  const options = ['--project', 'tsconfig.json', '--outDir', `dist/${name}`, '--module', module];
  const resolution = name === 'cjs' ? ['--moduleResolution', 'bundler'] : [];
  execFileSync(process.execPath, [tsc, ...options, ...resolution], { cwd: root, stdio: ['ignore', 2, 2] });
  writeFileSync(new URL(`dist/${name}/package.json`, import.meta.url), `{ "type": "${type}" }\n`);
}
