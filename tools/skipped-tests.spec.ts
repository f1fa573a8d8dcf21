import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('tools/skipped-tests.mjs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'skipped-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function judged(file: string, status: string): { status: number | null; stderr: string } {
    const results = join(folder, 'tests.json');
    const assertionResults = [{ status, fullName: 'a site shows listings' }];
    const testResults = [{ name: join(process.cwd(), file), assertionResults }];
    writeFileSync(results, JSON.stringify({ testResults }));
    return spawnSync(process.execPath, [join(__dirname, 'skipped-tests.mjs'), results], { encoding: 'utf8' });
  }

  it('accepts results without skipped tests', () => {
    expect(judged('test/wordpress/blocks.spec.ts', 'passed')).toMatchObject({ status: 0, stderr: '' });
  });

  it('names each skipped test and fails', () => {
    expect(judged('test/wordpress/blocks.spec.ts', 'pending')).toMatchObject({
      status: 1,
      stderr: 'skipped, because a program is missing:\n  test/wordpress/blocks.spec.ts: a site shows listings\n',
    });
  });

  it('accepts skipped tests of files that a CI machine may skip', () => {
    expect(judged('test/medium/samples/samples.spec.ts', 'pending').status).toBe(0);
  });
});
