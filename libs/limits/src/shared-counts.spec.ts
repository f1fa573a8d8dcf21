import { randomUUID } from 'node:crypto';
import { Counts } from './counts';
import { SharedCounts } from './shared-counts';

const { TEST_REDIS_URL } = process.env;
// Real: Redis, if TEST_REDIS_URL is set.
const withRedis = TEST_REDIS_URL === undefined ? it.skip : it;

describe('shared counts', () => {
  const open: SharedCounts[] = [];
  const connect = (url: string, prefix: string, onAway: (error: unknown) => void = () => undefined): Counts => {
    const shared = new SharedCounts({ url, prefix, onAway });
    open.push(shared);
    return new Counts('test', shared, () => performance.now());
  };

  afterEach(() => {
    for (const shared of open.splice(0)) shared.close();
  });

  /** Waits until Redis is connected: until then, the process counts by itself. */
  const untilShared = async (counts: Counts): Promise<void> => {
    for (;;) {
      const here = counts.names;
      await counts.add(randomUUID());
      if (counts.names === here) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  withRedis('are common to all processes that use the same Redis', async () => {
    const prefix = `passerelle-test-${randomUUID()}`;
    const [one, other] = [connect(TEST_REDIS_URL!, prefix), connect(TEST_REDIS_URL!, prefix)];
    await Promise.all([untilShared(one), untilShared(other)]);

    const counted = [await one.add('a'), await other.add('a'), await one.add('a'), await one.add('b')];

    expect(counted.map(({ count }) => count)).toEqual([1, 2, 3, 1]);
    expect(counted[0]!.resetSeconds).toBeGreaterThan(50);
  });

  it('stay in the process while Redis is unavailable, and report each failure', async () => {
    const failures: unknown[] = [];
    const counts = connect('redis://127.0.0.1:1', 'nobody', (error) => failures.push(error));

    const counted = [await counts.add('a'), await counts.add('a')];

    expect(counted.map(({ count }) => count)).toEqual([1, 2]);
    expect(failures).toHaveLength(2);
  });
});
