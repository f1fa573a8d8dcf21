import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const COMMIT = 'c'.repeat(40);
const TAG_OBJECT = 'd'.repeat(40);
const FILES = {
  Dockerfile: 'FROM node:24-slim AS build\nRUN npm ci\n',
  'docker-compose.yml': 'services:\n  api:\n    image: passerelle:0.1.0\n  db:\n    image: postgres:18.4\n',
  '.github/workflows/ci.yml': 'steps:\n  - uses: actions/checkout@v6.0.2\n  - uses: ./.github/workflows/other.yml\n',
  '.github/actions/prepare/action.yml': 'steps:\n  - uses: actions/setup-node@v6.0.2\n',
};
const PINNED = {
  Dockerfile: `FROM node:24-slim@${DIGEST} AS build\nRUN npm ci\n`,
  'docker-compose.yml': `services:\n  api:\n    image: passerelle:0.1.0\n  db:\n    image: postgres:18.4@${DIGEST}\n`,
  '.github/workflows/ci.yml': `steps:\n  - uses: actions/checkout@${COMMIT} # v6.0.2\n  - uses: ./.github/workflows/other.yml\n`,
  '.github/actions/prepare/action.yml': `steps:\n  - uses: actions/setup-node@${COMMIT} # v6.0.2\n`,
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pin-'));
  for (const folder of ['workflows', 'actions/prepare']) mkdirSync(join(root, '.github', folder), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
  // Tests have no access to registries, so these programs answer like docker and git.
  program('docker', `echo ${DIGEST}`);
  program('git', `printf '${TAG_OBJECT}\\trefs/tags/v6.0.2\\n${COMMIT}\\trefs/tags/v6.0.2^{}\\n'`);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function program(name: string, script: string): void {
  writeFileSync(join(root, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, name), 0o755);
}

async function pin(...args: string[]): Promise<{ code: number; out: string }> {
  const env = { ...process.env, PATH: `${root}:${process.env['PATH'] ?? ''}` };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(__dirname, 'pin.mjs'), ...args, root],
      { env },
      (_error, out, err) => {
        resolve({ code: child.exitCode ?? -1, out: out + err });
      },
    );
  });
}

const filesNow = (): Record<string, string> =>
  Object.fromEntries(Object.keys(FILES).map((name) => [name, readFileSync(join(root, name), 'utf8')]));

describe('npm run pin', () => {
  it('writes the digest of each third-party image and the commit of each action', async () => {
    expect(await pin()).toMatchObject({ code: 0 });
    expect(filesNow()).toEqual(PINNED);
  });

  it('replaces old digests by current ones', async () => {
    await pin();
    const newer = `sha256:${'ef'.repeat(32)}`;
    program('docker', `echo ${newer}`);
    await pin();
    expect(filesNow()['docker-compose.yml']).toBe(PINNED['docker-compose.yml'].replace(DIGEST, newer));
  });

  it('prints one line and changes no file when a digest cannot be read', async () => {
    program('git', 'exit 0');
    const { code, out } = await pin();
    expect([code, out]).toEqual([1, expect.stringMatching(/^cannot read the digest of [^\n]+\n$/)]);
    expect(filesNow()).toEqual(FILES);
  });

  it('with --check prints file and line of each missing digest, and fails', async () => {
    const { code, out } = await pin('--check');
    expect(code).toBe(1);
    expect(out).toContain('Dockerfile:1: node:24-slim');
    expect(out).toContain('docker-compose.yml:5: postgres:18.4');
    expect(out).toContain('.github/workflows/ci.yml:2: actions/checkout@v6.0.2');
    expect(out).not.toContain('passerelle');
    await pin();
    expect(await pin('--check')).toMatchObject({ code: 0 });
  });
});
