import { getEventListeners, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedRun } from '@passerelle/database';
import { noFigures } from '@passerelle/domain';
import { RunStopped, RunWatch, type WatchedRun } from './run-watch';

const LEASE_SECONDS = 0.1;
const RUN: ClaimedRun = {
  ...{ id: 7, gatewayId: 3, crm: 'kyero', fence: 5, trigger: 'schedule', dryRun: false, forced: false },
  ...{ attempt: 1, waitedMs: 0, client: 'a', requestId: null, askedBy: null, revertTo: null, revertReason: null },
};
const READING = { progress: () => ({ ...noFigures(), records: 12 }) };

const away = (): Promise<never> => Promise.reject(new Error('the database is away'));
const silent = (): Promise<never> => new Promise(() => undefined);
const yes = (): Promise<boolean> => Promise.resolve(true);
const no = (): Promise<boolean> => Promise.resolve(false);

interface Answers {
  renew?: () => Promise<boolean>;
  isCancelRequested?: () => Promise<boolean>;
  runTimeoutMs?: number;
  leaseSeconds?: number;
}

describe('RunWatch', () => {
  const watches: WatchedRun[] = [];
  let progress: number[];

  beforeEach(() => {
    progress = [];
  });
  afterEach(async () => {
    for (const watch of watches.splice(0)) await watch.end();
  });

  /** Starts a watch over a fake database. The default answers let the run continue. */
  function startWatch(
    { renew = yes, isCancelRequested = no, runTimeoutMs = 60_000, leaseSeconds = LEASE_SECONDS }: Answers,
    shutdown = new AbortController().signal,
  ): WatchedRun {
    const noteProgress = (_run: ClaimedRun, { records }: { records: number }): Promise<void> => {
      progress.push(records);
      return Promise.resolve();
    };
    const options = { holder: 'the test', leaseSeconds, everySeconds: 3600, runTimeoutMs, keepUnreadableHours: 72 };
    const watch = new RunWatch({ renew }, { isCancelRequested, noteProgress }, options).start(RUN, READING, shutdown);
    watches.push(watch);
    return watch;
  }

  async function reasonOf({ signal }: WatchedRun): Promise<unknown> {
    if (!signal.aborted) await once(signal, 'abort');
    return signal.reason instanceof RunStopped ? signal.reason.why : signal.reason;
  }

  it.each([
    ['another worker has the lease', { renew: no }, 'lease-lost'],
    ['the database is unavailable for longer than the lease', { renew: away }, 'lease-lost'],
    ['the database does not answer for longer than the lease', { renew: silent }, 'lease-lost'],
    [
      'the database renews the lease, but does not answer before the deadline',
      { isCancelRequested: silent, runTimeoutMs: 1_000, leaseSeconds: 5 },
      'deadline',
    ],
    ['an operator has cancelled the run', { isCancelRequested: yes }, 'cancelled'],
    ['the deadline has passed', { runTimeoutMs: 0 }, 'deadline'],
    ['the deadline has passed and the database is unavailable', { runTimeoutMs: 0, renew: away }, 'deadline'],
  ])('stops the run when %s', async (_what, answers, why) => {
    expect(await reasonOf(startWatch(answers))).toBe(why);
  });

  it('stops the run exactly at the end of its lease when the database does not answer', async () => {
    const begunMs = performance.now();
    let asked = 0;
    const renew = (): Promise<never> => {
      asked += 1;
      return silent();
    };
    await reasonOf(startWatch({ renew, leaseSeconds: 0.5 }));
    // There was one query in all, and no second pause.
    expect([asked, performance.now() - begunMs >= 500]).toEqual([1, true]);
  });

  it('stops the run when the process shuts down, also if the shutdown began before the run', async () => {
    const shutdown = new AbortController();
    const watch = startWatch({}, shutdown.signal);
    shutdown.abort();
    expect(await reasonOf(watch)).toBe('shutdown');
    expect(await reasonOf(startWatch({}, shutdown.signal))).toBe('shutdown');
  });

  it('lets the run continue through outages that are shorter than the lease', async () => {
    // The second outage comes after the lease of the start has expired.
    const answers = [away, yes, yes, yes, yes, away, yes];
    await new Promise<void>((resolve) => {
      const renew = (): Promise<boolean> => {
        const answer = answers.shift();
        if (answer === undefined) resolve();
        return (answer ?? yes)();
      };
      startWatch({ renew, leaseSeconds: 2 });
    });
    expect(watches[0]?.signal.aborted).toBe(false);
    expect(progress).toContain(12);
  });

  it('ends immediately during its pause, without another renewal', async () => {
    let asked = 0;
    const watch = startWatch({
      leaseSeconds: 3_000,
      renew: () => {
        asked += 1;
        return yes();
      },
    });
    await watch.end();
    expect(asked).toBe(0);
  });

  it('removes its listener from the signal of the process when it ends', async () => {
    const shutdown = new AbortController();
    const watch = startWatch({}, shutdown.signal);
    expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(1);
    await watch.end();
    expect(getEventListeners(shutdown.signal, 'abort')).toEqual([]);
  });

  it('sends no further query after it has stopped the run', async () => {
    let asked = 0;
    const watch = startWatch({
      renew: () => {
        asked += 1;
        return no();
      },
    });
    await reasonOf(watch);
    await sleep(LEASE_SECONDS * 1000);
    expect(asked).toBe(1);
  });

  it('does not renew the lease after the run has ended', async () => {
    let asked = 0;
    const watch = startWatch({
      renew: () => {
        asked += 1;
        return yes();
      },
    });
    await watch.end();
    const askedUntilTheEnd = asked;
    await sleep(LEASE_SECONDS * 1000);
    expect(asked).toBe(askedUntilTheEnd);
  });
});
