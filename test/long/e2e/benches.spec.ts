import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withResults } from '../../bench/performance-page';
import type { Result } from '../../bench/bench';

const run = promisify(execFile);

// Real: every bench with the built programs and its own PostgreSQL, at a small size.
describe('benches', () => {
  it('all measure something at a small size', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benches-'));
    try {
      const file = join(folder, 'results.json');
      const env = { ...process.env, BENCH_SIZE: 'small' };
      await run('npm', ['run', '-s', 'bench', '--', '--json', file], { env, maxBuffer: 2 ** 26 });
      const { results } = JSON.parse(await readFile(file, 'utf8')) as { results: Result[] };
      expect(results.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
      expect(new Set(results.map(({ bench }) => bench)).size).toBeGreaterThan(25);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('withResults', () => {
  const result = (bench: string, value: number): Result => ({
    ...{ bench, value, what: `time of ${bench}`, goal: { max: 3 }, unit: 's' as const, detail: 'a and b' },
  });

  it('replaces the lines of the benches that ran, and keeps the lines of others', () => {
    const page = 'Before\n\n<!-- benches -->\n<!-- /benches -->\n\nafter\n';
    const first = withResults(page, [result('two', 1), result('one', 2)], 'aaaa, 2026-01-01');
    const second = withResults(first, [result('two', 5)], 'bbbb, 2026-02-02');
    expect(second.match(/^\| `.*$/gm)).toEqual([
      '| `one` | time of one | 2.0 s | ≤ 3.0 s | a and b | aaaa, 2026-01-01 |',
      '| `two` | time of two | 5.0 s | ≤ 3.0 s, missed | a and b | bbbb, 2026-02-02 |',
    ]);
    expect(second.startsWith('Before\n')).toBe(true);
    expect(second.endsWith('\n\nafter\n')).toBe(true);
  });
});
