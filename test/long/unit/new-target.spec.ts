import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTargets, type Target } from '@passerelle/exporters';
import { describeTarget } from '../../support/targets/describe-target';
import { idsInXml } from '../../support/targets/readers';
import { TARGET_KINDS, targetFiles } from '../../../tools/new-target/files';

const ROOT = join(__dirname, '..', '..', '..');
// A copy of the repository's structure: new folders in `targets/` beside the kit.
const tree = mkdtempSync(join(tmpdir(), 'new-target-'));
const targets = join(tree, 'targets');
symlinkSync(join(ROOT, 'libs', 'exporters', 'src', 'kit'), join(tree, 'kit'));

afterAll(() => {
  rmSync(tree, { recursive: true });
});

for (const kind of TARGET_KINDS) {
  for (const [name, content] of Object.entries(targetFiles(`new-${kind}`, kind))) {
    const path = join(targets, `new-${kind}`, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Loads the target from a file that the test has just written. */
function load(path: string): { target: Target } {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- nothing can be imported that is not there yet
  return require(path) as { target: Target };
}

describe.each(TARGET_KINDS)('new target of transport %s', (kind) => {
  const folder = join(targets, `new-${kind}`);
  const { target } = load(join(folder, 'target.ts'));

  describeTarget(target, {
    fixturesDir: join(folder, '__fixtures__'),
    read: (document) => idsInXml(document, 'adverts', 'advert', 'id'),
  });

  it('is loaded from its folder', () => {
    expect(createTargets(targets).get(`new-${kind}`)).toMatchObject({
      code: `new-${kind}`,
      transport: kind,
      version: 1,
    });
  });
});

it('a folder whose code differs, or that has no target, stops the boot with its name', () => {
  const broken = mkdtempSync(join(tmpdir(), 'broken-targets-'));
  mkdirSync(join(broken, 'empty'));
  expect(() => createTargets(broken)).toThrow('targets/empty has no target.ts');
  writeFileSync(join(broken, 'empty', 'target.js'), "exports.target = { code: 'other', advert: () => '' };");
  expect(() => createTargets(broken)).toThrow('exports the target "other": code and folder must be the same');
  rmSync(broken, { recursive: true });
});
