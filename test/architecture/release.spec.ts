import { parse } from 'yaml';
import { readFromRoot } from './read-from-root';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, string | number | boolean>;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, { uses?: string; needs?: string; permissions?: Record<string, string>; steps?: Step[] }>;
}

const FILES = ['.github/workflows/ci.yml', '.github/workflows/release.yml', '.github/workflows/nightly.yml'];
const PREPARE = '.github/actions/prepare/action.yml';
const workflow = (path: string): Workflow => parse(readFromRoot(path)) as Workflow;
const [CI, RELEASE] = FILES.map(workflow) as [Workflow, Workflow];
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const step = (uses: string): Step => stepsOf(RELEASE).find((one) => one.uses?.startsWith(`${uses}@`)) ?? {};

describe('release workflow', () => {
  it('starts with a tag, and publishes only after CI has passed', () => {
    expect(RELEASE.on).toEqual({ push: { tags: ['v*'] } });
    expect(RELEASE.jobs['check']?.uses).toBe('./.github/workflows/ci.yml');
    expect(CI.on).toHaveProperty('workflow_call');
    expect(RELEASE.jobs['publish']?.needs).toBe('check');
  });

  it('fetches the tags in CI, because tests need the previous release', () => {
    const checkout = stepsOf(CI).find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 });
  });

  it('builds one image for two architectures, with provenance, a list of packages and a signature', () => {
    expect(step('docker/build-push-action').with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      provenance: 'mode=max',
      sbom: true,
    });
    const digest = '${{ steps.image.outputs.digest }}';
    expect(step('actions/attest-build-provenance').with).toMatchObject({ 'subject-digest': digest });
    expect(step('actions/attest-sbom').with).toMatchObject({
      'subject-digest': digest,
      'sbom-path': 'release/passerelle.cdx.json',
    });
    const commands = stepsOf(RELEASE).map(({ run = '' }) => run);
    expect(commands).toContainEqual('npm run -s release -- "$VERSION"');
    expect(commands).toContainEqual(expect.stringMatching(/^cosign sign --yes --recursive "\$IMAGE"$/));
    expect(commands).toContainEqual(expect.stringContaining('helm push'));
  });

  it('fails when the tag is not the version in package.json', () => {
    const [check] = stepsOf(RELEASE).filter(({ run = '' }) => run.includes('GITHUB_REF_NAME != "v$version"'));
    expect(check?.run).toContain('exit 1');
    expect(stepsOf(RELEASE).indexOf(check!)).toBeLessThan(stepsOf(RELEASE).indexOf(step('docker/build-push-action')));
  });

  it('checks that every image and action has a digest before it publishes', () => {
    const [check] = stepsOf(RELEASE).filter(({ run = '' }) => run === 'npm run -s pin -- --check');
    expect(stepsOf(RELEASE).indexOf(check!)).toBeGreaterThan(-1);
    expect(stepsOf(RELEASE).indexOf(check!)).toBeLessThan(stepsOf(RELEASE).indexOf(step('docker/build-push-action')));
  });

  it.each(FILES)('grants in %s only the permissions that its jobs need, and uses pinned actions', (path) => {
    const { permissions } = workflow(path);
    expect(permissions).toEqual({ contents: 'read' });
    for (const { uses, run = '' } of stepsOf(workflow(path))) {
      if (uses !== undefined) expect(uses).toMatch(/^\.\/\.github\/|@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/);
      // A script must not contain an expression, because the expression's value may come from other people.
      expect(run).not.toMatch(/\$\{\{/);
    }
  });

  it('uses pinned actions, and no expressions in scripts, in the shared action', () => {
    const { runs } = parse(readFromRoot(PREPARE)) as { runs: { steps: Step[] } };
    for (const { uses, run = '' } of runs.steps) {
      if (uses !== undefined) expect(uses).toMatch(/@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/);
      expect(run).not.toMatch(/\$\{\{/);
    }
  });
});
