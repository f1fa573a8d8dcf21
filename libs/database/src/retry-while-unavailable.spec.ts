import { setTimeout as sleep } from 'node:timers/promises';
import { retryWhileUnavailable } from './retry-while-unavailable';

const PATIENCE_MS = 1_000;
const LONGER_MS = 1_200;

/** A database whose first failure takes `stillMs`, and which then cannot be reached for `awayMs`. */
function database(stillMs: number, awayMs: number): () => Promise<string> {
  let failedAtMs: number | undefined;
  return async () => {
    if (failedAtMs === undefined) await sleep(stillMs);
    failedAtMs ??= performance.now();
    if (performance.now() - failedAtMs < awayMs) {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    }
    return 'found';
  };
}

describe('retryWhileUnavailable', () => {
  it('repeats the query while the server cannot be reached, and returns the result', async () => {
    await expect(retryWhileUnavailable(database(0, 250), { patienceMs: PATIENCE_MS })).resolves.toBe('found');
  });

  it('throws the last error when the time has run out', async () => {
    await expect(retryWhileUnavailable(database(0, Infinity), { patienceMs: PATIENCE_MS })).rejects.toThrow(
      'ECONNREFUSED',
    );
  });

  it('waits its full time, even when the server hung for long before the connection broke', async () => {
    await expect(retryWhileUnavailable(database(LONGER_MS, 250), { patienceMs: PATIENCE_MS })).resolves.toBe('found');
  });

  it("queries at least twice, even if the caller's time is over", async () => {
    const databases = [Infinity, 100].map((awayMs) => jest.fn(database(LONGER_MS, awayMs)));
    const asked = databases.map((ask) =>
      retryWhileUnavailable(ask, { sinceMs: performance.now(), patienceMs: PATIENCE_MS }),
    );
    await expect(asked[0]).rejects.toThrow('ECONNREFUSED');
    await expect(asked[1]).resolves.toBe('found');
    expect(databases.map((ask) => ask.mock.calls.length)).toEqual([2, 2]);
  });

  it('queries only once when the database refuses the statement', async () => {
    let count = 0;
    const refuse = (): Promise<never> => {
      count += 1;
      return Promise.reject(new Error('syntax error'));
    };
    await expect(retryWhileUnavailable(refuse, { patienceMs: PATIENCE_MS })).rejects.toThrow('syntax error');
    expect(count).toBe(1);
  });
});
