import { spawnSync } from 'node:child_process';
import { RunSteps } from './traces';

describe('traces', () => {
  it('do not load OpenTelemetry without an endpoint', () => {
    const script = `
      require('tsx/cjs');
      require('./libs/traces/src/index.ts').openTraces('api', null).then(() => {
        process.stdout.write(Object.keys(require.cache).filter((path) => path.includes('@opentelemetry')).join());
      });`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  it('contain the steps of a run, including a failed one', async () => {
    const steps = new RunSteps();
    expect(await steps.time('judge', () => Promise.resolve(7))).toBe(7);
    await expect(steps.time('publish', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(steps.list.map(({ name }) => name)).toEqual(['judge', 'publish']);
  });
});
