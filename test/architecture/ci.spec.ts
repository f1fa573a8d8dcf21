import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { readFromRoot } from './read-from-root';

interface Job {
  'runs-on': string;
  'timeout-minutes': number;
  if?: string;
  needs?: string[];
  strategy?: { matrix: Record<string, string[]> };
  steps: { uses?: string; run?: string; with?: Record<string, string> }[];
}

const { jobs } = parse(readFromRoot('.github/workflows/ci.yml')) as { jobs: Record<string, Job> };
const nightly = parse(readFromRoot('.github/workflows/nightly.yml')) as { jobs: Record<string, Job> };
const kinds = [...readFromRoot('jest.config.js').matchAll(/displayName: '(\w+)'/g)].map(([, name]) => name!);

describe('CI workflow', () => {
  it.each(kinds)('runs the tests of the kind %s, and fails when they are skipped', (kind) => {
    expect(jobs[kind]?.steps.at(-1)?.run).toBe(`.ci/tests ${kind}`);
    expect(readFromRoot('.ci/tests')).toMatch(/\nnode tools\/skipped-tests\.mjs "\$work\/tests\.json"\n$/);
  });

  it("runs unit tests and a start on the oldest supported Node and on the image's", () => {
    const { engines } = JSON.parse(readFromRoot('package.json')) as { engines: { node: string } };
    const [, image] = /^FROM node:(\d+)/m.exec(readFromRoot('Dockerfile'))!;
    const nodes = [engines.node.replace('>=', ''), image];
    for (const name of ['unit', 'start']) expect(jobs[name]?.strategy?.matrix['node']).toEqual(nodes);
  });

  it('starts the image on both architectures', () => {
    expect(jobs['image']?.strategy?.matrix['machine']).toEqual(['ubuntu-24.04', 'ubuntu-24.04-arm']);
  });

  it('has one job that fails unless all other jobs succeed', () => {
    const { required, ...others } = jobs;
    expect(required).toMatchObject({ if: 'always()', needs: Object.keys(others) });
  });

  it('limits the time of each job to that of CONTRIBUTING.md', () => {
    const [, limit] = /at most (\d+)\s+minutes per job/.exec(readFromRoot('CONTRIBUTING.md'))!;
    const minutes = Object.values(jobs).map((job) => job['timeout-minutes']);
    expect(Math.max(...minutes)).toBe(Number(limit));
  });

  it('runs only scripts that the repository has', () => {
    const commands = [...Object.values(jobs), ...Object.values(nightly.jobs)].flatMap(({ steps }) =>
      steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
    );
    const scripts = commands.map((run) => run.split(' ').find((word) => /^(\.ci|tools)\//.test(word)));
    expect(scripts.filter((path) => path !== undefined && !existsSync(path))).toEqual([]);
    expect(commands).toContain('node tools/advisories.mjs');
  });
});
