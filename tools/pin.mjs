// `npm run pin`: adds the digest to the tag of each image and action in the repository. It needs git, and docker with
// buildx, but no running Docker engine. `npm run pin -- --check` needs no network and fails if a digest is missing.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const root = args.find((arg) => !arg.startsWith('--')) ?? join(import.meta.dirname, '..');
const WORKFLOWS = '.github/workflows';
const ACTIONS = '.github/actions';

/** The project builds this image, so it has no digest before a release. */
const OWN = /^passerelle(:|$)/;
const IMAGE = /^(?<before>\s*image:\s*|FROM\s+)(?<name>[\w./-]+:[\w.-]+)(?<digest>@sha256:[0-9a-f]{64})?(?<after>.*)$/;
const ACTION = /^(?<before>\s*(?:- )?uses:\s*)(?<name>[\w.-]+\/[\w./-]+)@(?<ref>\S+)(?:\s+# (?<tag>v\S+))?$/;
const SHA = /^[0-9a-f]{40}$/;

const files = [
  'Dockerfile',
  'docker-compose.yml',
  ...readdirSync(join(root, WORKFLOWS)).map((name) => join(WORKFLOWS, name)),
  ...(existsSync(join(root, ACTIONS)) ? readdirSync(join(root, ACTIONS)) : []).map((name) =>
    join(ACTIONS, name, 'action.yml'),
  ),
];
const unpinned = [];
const digests = new Map();

const contents = [];
for (const file of files) {
  const lines = [];
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    const where = `${file}:${index + 1}`;
    lines.push((await pinImage(line, where)) ?? (await pinAction(line, where)) ?? line);
  }
  contents.push([file, lines.join('\n')]);
}
if (!isCheck) {
  // Write files only after all digests were read, so that an error changes no file.
  for (const [file, text] of contents) writeFileSync(join(root, file), text);
  process.stdout.write(`${digests.size} digests read\n`);
} else if (unpinned.length === 0) {
  process.stdout.write('every image and action is named by digest\n');
} else {
  process.stderr.write(
    `not named by digest ("npm run pin" reads the digests):\n${unpinned.map((one) => `  ${one}\n`).join('')}`,
  );
  process.exitCode = 1;
}

/** The line with the image's current digest; null if it has no third-party image. */
async function pinImage(line, where) {
  const found = IMAGE.exec(line)?.groups;
  if (found === undefined || OWN.test(found.name)) return null;
  if (isCheck) {
    if (found.digest === undefined) unpinned.push(`${where}: ${found.name}`);
    return line;
  }
  const digest = await once(found.name, () => readImageDigest(found.name));
  return `${found.before}${found.name}@${digest}${found.after}`;
}

/** The line with the commit of the action's tag; null if it has no action. */
async function pinAction(line, where) {
  const found = ACTION.exec(line)?.groups;
  if (found === undefined) return null;
  if (isCheck) {
    if (!SHA.test(found.ref)) unpinned.push(`${where}: ${found.name}@${found.ref}`);
    return line;
  }
  const tag = found.tag ?? found.ref;
  const commit = await once(`${found.name}@${tag}`, () => readTagCommit(found.name, tag));
  return `${found.before}${found.name}@${commit} # ${tag}`;
}

async function once(name, read) {
  if (!digests.has(name)) digests.set(name, await read().catch((error) => fail(name, error)));
  return digests.get(name);
}

/** Ends the program with one line, before any file is written. */
function fail(name, { code, stderr, message }) {
  const reason = code === 'ENOENT' ? 'the program docker or git is missing' : stderr?.trim() || message;
  process.stderr.write(`cannot read the digest of ${name}: ${reason.replace(/\s+/g, ' ')}\n`);
  process.exit(1);
}

/** The digest of the index, which covers all architectures. */
async function readImageDigest(name) {
  const { stdout } = await run('docker', ['buildx', 'imagetools', 'inspect', name, '--format', '{{.Manifest.Digest}}']);
  const digest = stdout.trim();
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`docker names no digest of ${name}: ${digest}`);
  return digest;
}

/** An annotated tag is a separate object; git lists its commit with `^{}`. */
async function readTagCommit(name, tag) {
  const repository = name.split('/').slice(0, 2).join('/');
  const { stdout } = await run('git', [
    'ls-remote',
    `https://github.com/${repository}`,
    `refs/tags/${tag}`,
    `refs/tags/${tag}^{}`,
  ]);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.split('\t'));
  const commit = (rows.find(([, ref]) => ref?.endsWith('^{}')) ?? rows[0])?.[0] ?? '';
  if (!SHA.test(commit)) throw new Error(`git finds no tag ${tag} in ${repository}`);
  return commit;
}
