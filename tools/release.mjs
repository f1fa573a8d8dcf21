// `npm run release -- 1.2.3`: first writes the version into every file that has it. After these changes are committed,
// the same command makes the files of the release in the folder `release`. The same commit gives the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const OUT = 'release';
/** Each place of the version, as the text before and after it. */
const PLACES = {
  'package.json': [/^(\s*"version": ")[^"]+(")/m],
  'package-lock.json': [
    /^(\{\s*"name": "passerelle",\s*"version": ")[^"]+(")/,
    /("": \{\s*"name": "passerelle",\s*"version": ")[^"]+(")/,
  ],
  'libs/settings/src/settings.ts': [/(\bRELEASE = ')[^']+(')/],
  'deploy/helm/passerelle/Chart.yaml': [/^(version: )\S+()$/m, /^(appVersion: '?)[^\s']+('?)$/m],
  'docker-compose.yml': [/(image: passerelle:)\S+()/, /(COMPOSE_RELEASE: )\S+()/],
};

process.chdir(join(import.meta.dirname, '..'));
const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) fail('usage: npm run release -- 1.2.3');
const isWritten = writeVersion();
if (isWritten) {
  process.stdout.write(
    `the files have the version ${version}: read the changes, update docs/upgrading.md, commit, and run this command again\n`,
  );
} else {
  makeFiles();
}

/** @returns whether a file changed */
function writeVersion() {
  const changed = [];
  for (const [file, places] of Object.entries(PLACES)) {
    const before = readFileSync(file, 'utf8');
    let text = before;
    for (const place of places) {
      if (!place.test(text)) fail(`${file} has no version where one is expected (${place.source})`);
      text = text.replace(place, `$1${version}$2`);
    }
    if (text !== before) changed.push([file, text]);
  }
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  if (notesOf(changelog) === null) {
    if (!changelog.includes('\n## Unreleased\n')) fail('CHANGELOG.md has no section "Unreleased"');
    const today = new Date().toISOString().slice(0, 10);
    changed.push(['CHANGELOG.md', changelog.replace('\n## Unreleased\n', `\n## ${version} (${today})\n`)]);
  }
  // Writes only after every file was read, so that a fault changes no file.
  for (const [file, text] of changed) writeFileSync(file, text);
  return changed.length > 0;
}

/** The section of this version; null if the changelog has none. */
function notesOf(changelog) {
  const sections = changelog.split(/^(?=## )/m);
  const own = sections.find((section) => section.startsWith(`## ${version} `));
  return own === undefined ? null : own.replace(/^## .*\n+/, '');
}

function makeFiles() {
  run('npm', ['run', '-s', 'notice']);
  const changes = run('git', ['status', '--porcelain']).toString();
  if (changes !== '') fail(`commit these changes first:\n${changes}`);
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  const put = (name, bytes) => writeFileSync(join(OUT, name), bytes);
  put('notes.md', notesOf(readFileSync('CHANGELOG.md', 'utf8')));
  put('NOTICE', readFileSync('NOTICE'));
  run('.ci/sbom', [join(OUT, 'passerelle.cdx.json')]);
  // `git archive` sorts the files, and dates them like the commit.
  const archive = (folder, args) =>
    run('git', ['archive', ...args], { cwd: folder, env: { ...process.env, TZ: 'UTC' } });
  put(`passerelle-${version}-source.tar.gz`, gzipSync(archive('.', [`--prefix=passerelle-${version}/`, 'HEAD'])));
  put(`passerelle-${version}-built.tar.gz`, builtArchive(`passerelle-${version}`));
  put(`passerelle-${version}.tgz`, gzipSync(archive('deploy/helm', ['HEAD', 'passerelle'])));
  const [, plugin] = /^ \* Version: +(\S+)$/m.exec(readFileSync('clients/wordpress/passerelle/passerelle.php', 'utf8'));
  put(`passerelle-wordpress-${plugin}.zip`, archive('clients/wordpress', ['--format=zip', 'HEAD', 'passerelle']));
  // Builds the package first (`prepack`).
  run('npm', ['pack', '--silent', './clients/typescript', '--pack-destination', OUT]);
  const names = readdirSync(OUT).sort();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(OUT, name)))
        .digest('hex')}  ${name}\n`,
  );
  put('SHA256SUMS', sums.join(''));
  process.stdout.write(sums.join(''));
}

/** The source with its programs built, without tests: `npm ci --omit=dev && npm start` needs no compiler. */
function builtArchive(name) {
  const parent = mkdtempSync(join(tmpdir(), 'passerelle-built-'));
  const folder = join(parent, name);
  try {
    const source = run('git', ['archive', '--format=tar', `--prefix=${name}/`, 'HEAD']);
    run('tar', ['-x', '-C', parent], { input: source, stdio: ['pipe', 'pipe', 'inherit'] });
    for (const path of ['test', '.ci', '.github']) rmSync(join(folder, path), { recursive: true, force: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    run(process.execPath, ['tools/build.mjs', '--for-release'], { cwd: folder });
    rmSync(join(folder, 'node_modules'));
    const date = run('git', ['show', '-s', '--format=%ct', 'HEAD']).toString().trim();
    const same = ['--sort=name', `--mtime=@${date}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
    return gzipSync(run('tar', [...same, '-C', parent, '-c', name]));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function run(program, args, options = {}) {
  return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 30, ...options });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
