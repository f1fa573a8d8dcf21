import type { RunState, RunView } from '@passerelle/domain';
import { progressText } from '../render/progress-line';
import { waitForRuns, type WaitOptions } from './wait-for-runs';

function aRun(id: number, state: RunState, records = 0): RunView {
  return {
    ...{ id, crm: 'kyero', client: 'port', trigger: 'ops', state, started_at: null, ended_at: null, fetched_bytes: 0 },
    ...{
      records,
      added: 0,
      changed: 0,
      unchanged: 0,
      removed: 0,
      rejected: 0,
      warnings: 0,
      snapshot: null,
      reason: null,
    },
  };
}

/** A fake run history: each poll of a run returns the run's next state. */
function runsGoing(states: Record<number, RunState[]>, others: RunView[] = []) {
  const looks: number[] = [];
  return {
    looks,
    runHistory: {
      find: (id: number): Promise<RunView | null> => {
        looks.push(id);
        const left = states[id] ?? [];
        const state = left.length > 1 ? left.shift() : left[0];
        return Promise.resolve(state === undefined ? null : aRun(id, state));
      },
      list: () => Promise.resolve(others),
    },
  };
}

function options(wishes: Partial<WaitOptions> = {}): WaitOptions {
  return {
    timeoutMs: Infinity,
    interrupted: new AbortController().signal,
    onPoll: () => undefined,
    onIdle: () => {
      throw new Error('there was an ingestor');
    },
    pollMs: 1,
    ...wishes,
  };
}

describe('waitForRuns', () => {
  it('ends when the last run is over, and polls only unfinished runs', async () => {
    const source = runsGoing({ 1: ['queued', 'published'], 2: ['queued', 'running', 'held'] });
    const waited = await waitForRuns(source, [1, 2], options());
    expect(waited).toEqual({ runs: [aRun(1, 'published'), aRun(2, 'held')], gaveUp: null });
    expect(source.looks).toEqual([1, 2, 1, 2, 2]);
  });

  it('ends when its time limit is over', async () => {
    const waited = await waitForRuns(runsGoing({ 1: ['running'] }), [1], options({ timeoutMs: 20 }));
    expect(waited).toEqual({ runs: [aRun(1, 'running')], gaveUp: 'timeout' });
  });

  it('ends immediately on Ctrl-C', async () => {
    const interruption = new AbortController();
    const waiting = waitForRuns(
      runsGoing({ 1: ['running'] }),
      [1],
      options({ interrupted: interruption.signal, pollMs: 60_000 }),
    );
    setTimeout(() => {
      interruption.abort();
    }, 10);
    expect(await waiting).toEqual({ runs: [aRun(1, 'running')], gaveUp: 'interrupted' });
  });

  it('reports a single time that no ingestor starts a run', async () => {
    const interruption = new AbortController();
    const onIdle = jest.fn();
    let pollsAfter = 0;
    const onPoll = (): void => {
      if (onIdle.mock.calls.length === 0) return;
      pollsAfter += 1;
      if (pollsAfter > 5) interruption.abort();
    };
    const wishes = { onIdle, onPoll, interrupted: interruption.signal, patienceMs: 5 };
    await waitForRuns(runsGoing({ 1: ['queued'] }), [1], options(wishes));
    expect(onIdle).toHaveBeenCalledTimes(1);
  });

  it('does not report a missing ingestor while an earlier run of the gateway is active', async () => {
    const source = runsGoing({ 2: ['queued'] }, [aRun(1, 'running')]);
    await expect(waitForRuns(source, [2], options({ patienceMs: 5, timeoutMs: 40 }))).resolves.toMatchObject({
      gaveUp: 'timeout',
    });
  });

  it('fails when the gateway is removed with its run', async () => {
    await expect(waitForRuns(runsGoing({}), [1], options())).rejects.toThrow('run 1 is gone: its gateway was removed');
  });
});

describe('progressText', () => {
  it('shows state, time and records of one run', () => {
    expect(progressText([aRun(12, 'running', 1500)], 8)).toBe('run 12 running, 8 s, 1500 records');
    expect(progressText([aRun(12, 'queued')], 0)).toBe('run 12 queued, 0 s');
  });

  it('shows the counts of several runs', () => {
    expect(progressText([aRun(1, 'published'), aRun(2, 'running'), aRun(3, 'queued')], 8)).toBe(
      '1 of 3 runs over, 1 running, 8 s',
    );
  });
});
