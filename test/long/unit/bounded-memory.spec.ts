import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

// Real: the tables themselves, in a process with a heap of 256 MB. They get far more entries than they hold.
describe('memory that requests without a key can fill', () => {
  it('stays within 64 MB, even with many and long names and addresses', () => {
    const script = join(ROOT, 'apps/api/src/properties/testing/fill-tables.ts');
    const said = execFileSync(
      process.execPath,
      ['--expose-gc', '--max-old-space-size=256', '--import', 'tsx', script],
      { encoding: 'utf8', cwd: ROOT, env: { ...process.env, NODE_NO_WARNINGS: '1' } },
    );
    const figures = JSON.parse(said) as {
      heapMb: number;
      headersMb: number;
      refusedNetworks: number;
      requestNetworks: number;
    };
    expect(figures).toMatchObject({ refusedNetworks: 50_000, requestNetworks: 50_000 });
    expect(figures.heapMb).toBeLessThan(64);
    expect(figures.headersMb).toBeLessThan(1);
  });
});
