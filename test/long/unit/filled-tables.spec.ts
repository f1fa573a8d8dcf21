import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { LISTED } from '../../architecture/memory/listed-tables';

const ROOT = join(__dirname, '..', '..', '..');

// Real: the classes, in a process with a heap of 256 MB. Fake: their collaborators.
it('SECURITY.md lists the measured sizes of tables that hold more gateways, keys or photos than a test can create over HTTP', () => {
  const script = join(ROOT, 'test/architecture/memory/fill-tables.ts');
  const flags = ['--expose-gc', '--max-old-space-size=256', '--import', 'tsx'];
  const said = execFileSync(process.execPath, [...flags, script], {
    ...{ encoding: 'utf8' as const, cwd: ROOT, env: { ...process.env, NODE_NO_WARNINGS: '1' } },
  });
  const measured = JSON.parse(said) as Record<string, number>;
  expect(Object.keys(measured)).toHaveLength(9);
  for (const [file, mb] of Object.entries(measured)) {
    const row = LISTED.find((one) => one.file === file);
    // The lower limit proves that the table was filled.
    expect([file, mb > 0.05, mb < (row?.mostMb ?? 0)]).toEqual([file, true, true]);
  }
});
