import { RunCleaning } from '@passerelle/database';
import pino from 'pino';
import { HistoryPruning } from './history-pruning';

const HOUR_MS = 3_600_000;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('HistoryPruning', () => {
  let done: string[];
  let failing: Set<string>;
  let due: number[];
  /** Steps that run until a test ends them. */
  let endless: Map<string, Promise<void>>;
  let pruning: HistoryPruning;

  /** Makes a step that records its call, and fails on demand. */
  const step = (what: string) => async (): Promise<void> => {
    done.push(what);
    if (failing.has(what)) throw new Error('statement timeout');
    await endless.get(what);
  };

  beforeEach(() => {
    [done, failing, due, endless] = [[], new Set(), [], new Map()];
    const clean = async (ids: readonly number[]): Promise<{ folded: number; expired: number }> => {
      await step(`runs of ${ids[0]}`)();
      due = due.filter((id) => !ids.includes(id));
      return { folded: ids.length, expired: 0 };
    };
    pruning = new HistoryPruning(
      { pruneChanges: step('changes') } as never,
      { due: () => Promise.resolve([...due]), clean } as never,
      { prune: step('walks') } as never,
      { prune: step('reports'), forgetTaken: step('taken reports') } as never,
      { prune: step('deliveries') } as never,
      { prune: step('publications') } as never,
      { prune: step('audit') } as never,
      { renew: step('days') } as never,
      { removeOld: step('details') } as never,
      { beginWhenDue: step('photos') } as never,
      pino({ level: 'silent' }),
    );
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('runs every step even if one step fails, and again after an hour', async () => {
    failing.add('reports');
    pruning.goOn();
    await settled();
    const all = [
      'walks',
      'reports',
      'taken reports',
      'deliveries',
      'deliveries',
      'deliveries',
      'deliveries',
      'deliveries',
      'deliveries',
      'deliveries',
      'publications',
      'audit',
      'days',
      'details',
      'changes',
      'photos',
    ];
    expect(done).toEqual(all);
    pruning.goOn();
    await settled();
    expect(done).toEqual(all);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + HOUR_MS);
    pruning.goOn();
    await settled();
    expect(done).toEqual([...all, ...all]);
  });

  it('does not delay its caller, and starts no statement after a stop', async () => {
    let end = (): void => undefined;
    endless.set('reports', new Promise((resolve) => (end = resolve)));
    pruning.goOn();
    await settled();
    const stopped = pruning.stop();
    await settled();
    expect(done).toEqual(['walks', 'reports']);
    end();
    await stopped;
    expect(done).toEqual(['walks', 'reports']);
  });

  it('cleans the runs of other gateways when the cleaning of the first gateways fails', async () => {
    const { gatewaysAtOnce } = RunCleaning;
    due = Array.from({ length: gatewaysAtOnce * 2 }, (_, id) => id);
    failing.add('runs of 0');
    for (let times = 0; times < 3; times += 1) {
      pruning.goOn();
      await settled();
    }
    expect(done.filter((what) => what.startsWith('runs'))).toEqual(['runs of 0', `runs of ${gatewaysAtOnce}`]);
    expect(due).toHaveLength(gatewaysAtOnce);
  });
});
