import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const MOST_LINES = 300;
/** These scanners read byte by byte and share one state, which a split would separate. */
const SCANNERS = ['libs/connectors/src/engine/cut/json-scanner.ts', 'libs/connectors/src/engine/cut/xml-scanner.ts'];
const FEW_LINES = 30;
/** The maximum share of tiny files, because many tiny files are as hard to read as one large file. */
const MOST_SMALL = 0.15;
/** Files of the product. Files of the tools may be small. */
const PRODUCT = /^(apps|libs)\//;

const files = ['apps', 'libs', 'tools']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|\/(testing|__fixtures__)\//.test(path))
  .map((path) => ({
    path: relative(ROOT, join(ROOT, path)),
    lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1,
  }));

describe('production files', () => {
  it(`have at most ${MOST_LINES} lines, except the two scanners`, () => {
    expect(
      files
        .filter(({ lines }) => lines > MOST_LINES)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(SCANNERS);
  });

  it('include only a small share of tiny files', () => {
    const product = files.filter(({ path }) => PRODUCT.test(path));
    const small = product.filter(({ lines }) => lines <= FEW_LINES);
    expect(small.length / product.length).toBeLessThanOrEqual(MOST_SMALL);
  });
});
