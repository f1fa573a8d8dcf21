import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..', '..', 'libs', 'connectors', 'src', 'sources');
const codes = readdirSync(SOURCES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the folder of a connector', () => {
  it.each(codes)('%s has every file that one has, and passes the standard suite', (code) => {
    const folder = join(SOURCES, code);
    const missing = ['connector.ts', 'mapping.ts', 'README.md', '__fixtures__'].filter(
      (name) => !existsSync(join(folder, name)),
    );
    expect(missing).toEqual([]);
    const specs = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
    const suites = specs.filter((name) =>
      readFileSync(join(folder, name), 'utf8').includes('describeConnector(connector'),
    );
    // Without it nothing compares its fixtures, its README or its version.
    expect(suites).toHaveLength(1);
  });
});
