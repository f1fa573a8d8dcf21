import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..', '..', 'libs', 'connectors', 'src', 'sources');
const codes = readdirSync(SOURCES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('connector folder', () => {
  it.each(codes)('%s has every required file, and runs the standard suite', (code) => {
    const folder = join(SOURCES, code);
    const missing = ['connector.ts', 'mapping.ts', 'README.md', '__fixtures__'].filter(
      (name) => !existsSync(join(folder, name)),
    );
    expect(missing).toEqual([]);
    const specs = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
    const suites = specs.filter((name) =>
      readFileSync(join(folder, name), 'utf8').includes('describeConnector(connector'),
    );
    // Without the suite, no test checks the fixtures, the README or the version of this connector.
    expect(suites).toHaveLength(1);
  });
});

const APIS = join(__dirname, '..', 'simulated', 'apis');
const simulators = readdirSync(APIS)
  .map((name) => ({ name: name.replace('.ts', ''), text: readFileSync(join(APIS, name), 'utf8') }))
  .flatMap(({ name, text }) => {
    const state = /export interface \w+State \{\n(.*?)\n\}/s.exec(text)?.[1];
    return state === undefined
      ? []
      : [{ name, members: [...state.matchAll(/^ {2}(\w+)/gm)].map(([, member]) => member) }];
  });

it.each(simulators)('test/simulated/README.md names every fault that $name can simulate', ({ name, members }) => {
  const readme = readFileSync(join(APIS, '..', 'README.md'), 'utf8');
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
  expect(members.length).toBeGreaterThan(1);
  expect(members.filter((member) => !row.includes(`\`${member}\``))).toEqual([]);
});

it('each simulated API has a spec of its connector', () => {
  const specs = readdirSync(join(__dirname, '..'), { recursive: true, encoding: 'utf8' });
  const unread = simulators.filter(({ name }) => !specs.some((spec) => spec.endsWith(`/${name}.spec.ts`)));
  expect([simulators.length > 7, unread]).toEqual([true, []]);
});
