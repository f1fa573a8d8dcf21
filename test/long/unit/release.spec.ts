import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = process.cwd();
const VERSION = '47.11.0';

// Real: git, npm, the files of the last commit in a clone. Fake: the list of packages, which needs the network.
(existsSync(join(ROOT, '.git')) ? describe : describe.skip)('npm run release', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'release-'));
    execFileSync('git', ['clone', '--quiet', '--shared', ROOT, clone]);
    for (const tool of ['tools/release.mjs', 'tools/build.mjs']) copyFileSync(join(ROOT, tool), join(clone, tool));
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    // The link to the packages is no file of the release.
    writeFileSync(join(clone, '.git/info/exclude'), '/node_modules\n/release/\n');
    writeFileSync(join(clone, '.ci/sbom'), '#!/bin/sh\necho "{}" > "$1"\n');
    commit();
  });
  afterAll(() => {
    rmSync(clone, { recursive: true, force: true });
  });

  function commit(): void {
    execFileSync('git', ['add', '--all'], { cwd: clone });
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    execFileSync('git', [...who, 'commit', '--quiet', '--allow-empty', '--message', 'release'], {
      cwd: clone,
    });
  }
  const release = (version: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ['tools/release.mjs', version], { cwd: clone, encoding: 'utf8' });
  const text = (path: string): string => readFileSync(join(clone, path), 'utf8');

  it('refuses a version that is none', () => {
    expect(release('v1')).toMatchObject({ status: 1, stderr: 'usage: npm run release -- 1.2.3\n' });
  });

  it('first writes the version into every file, and asks for a commit', () => {
    expect(release(VERSION)).toMatchObject({ status: 0, stdout: expect.stringContaining('commit, and run') });
    expect(JSON.parse(text('package.json'))).toMatchObject({ version: VERSION });
    expect(JSON.parse(text('package-lock.json'))).toMatchObject({
      version: VERSION,
      packages: { '': { version: VERSION } },
    });
    expect(text('libs/settings/src/settings.ts')).toContain(`RELEASE = '${VERSION}'`);
    expect(text('deploy/helm/passerelle/Chart.yaml').match(/47\.11\.0/g)).toHaveLength(2);
    expect(text('docker-compose.yml').match(/47\.11\.0/g)).toHaveLength(2);
    expect(text('CHANGELOG.md')).toMatch(/^## 47\.11\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(release(VERSION)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('commit these changes first'),
    });
  });

  it('then makes the same files each time', () => {
    commit();
    expect(release(VERSION)).toMatchObject({ status: 0, stderr: '' });
    const sums = text('release/SHA256SUMS');
    expect(readdirSync(join(clone, 'release')).sort()).toEqual([
      'NOTICE',
      'SHA256SUMS',
      'notes.md',
      'passerelle-47.11.0-built.tar.gz',
      expect.stringMatching(/^passerelle-47\.11\.0-source\.tar\.gz$/),
      'passerelle-47.11.0.tgz',
      expect.stringMatching(/^passerelle-client-\d+\.\d+\.\d+\.tgz$/),
      expect.stringMatching(/^passerelle-wordpress-\d+\.\d+\.\d+\.zip$/),
      'passerelle.cdx.json',
    ]);
    expect(text('release/notes.md')).toContain('### For operators');
    const chart = execFileSync('tar', ['-tzf', 'release/passerelle-47.11.0.tgz'], { cwd: clone, encoding: 'utf8' });
    expect(chart.split('\n')).toContain('passerelle/Chart.yaml');
    const built = join('release', 'passerelle-47.11.0-built.tar.gz');
    const inside = execFileSync('tar', ['-tzf', built], { cwd: clone, encoding: 'utf8' }).split('\n');
    expect(inside).toContain('passerelle-47.11.0/dist/tools/start.js');
    expect(inside.filter((path) => /\/(test|node_modules)\/|tsbuildinfo$/.test(path))).toEqual([]);
    const stamp = ['-xzOf', built, 'passerelle-47.11.0/dist/built-from'];
    expect(execFileSync('tar', stamp, { cwd: clone, encoding: 'utf8' })).toBe('release');
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(clone, 'release') });
    expect(release(VERSION)).toMatchObject({ status: 0, stderr: '' });
    expect(text('release/SHA256SUMS')).toBe(sums);
  });
});
