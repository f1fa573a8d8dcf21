import { Pool } from 'pg';
import { ReplicaReads, RowMissing, RowPruned } from './replica-reads';

// Never connected.
const [PRIMARY, REPLICA] = [new Pool(), new Pool()];
const SNAPSHOT = { gatewayId: 1, id: 1 };

describe('ReplicaReads', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Returns a function that reads once and reports the servers that it tried. */
  function setUp(onReplica: () => void, replica: Pool | null = REPLICA) {
    const reads = new ReplicaReads(PRIMARY, replica);
    jest.spyOn(REPLICA, 'query').mockImplementation(() => Promise.resolve({ rowCount: 1 }) as never);
    const read = async (): Promise<string[]> => {
      const tried: string[] = [];
      await reads.read(SNAPSHOT, (pool) => {
        tried.push(pool === REPLICA ? 'replica' : 'primary');
        if (pool === REPLICA) onReplica();
        return Promise.resolve(0);
      });
      return tried;
    };
    return { reads, read };
  }

  it('reads from the replica while the replica answers', async () => {
    const { reads, read } = setUp(() => undefined);
    expect([await read(), await read()]).toEqual([['replica'], ['replica']]);
    expect(reads.figures).toEqual({ replica: 2, primary: 0 });
  });

  it('reads rows that the replica does not have yet from the primary, and tries the replica again next time', async () => {
    const { reads, read } = setUp(() => {
      throw new RowMissing();
    });
    expect([await read(), await read()]).toEqual([
      ['replica', 'primary'],
      ['replica', 'primary'],
    ]);
    expect(reads.figures).toEqual({ replica: 0, primary: 2 });
  });

  it('avoids the replica for ten seconds after a failure', async () => {
    const { read } = setUp(() => {
      throw new Error('connection refused');
    });
    expect(await read()).toEqual(['replica', 'primary']);
    nowMs += 9_999;
    expect(await read()).toEqual(['primary']);
    nowMs += 1;
    expect(await read()).toEqual(['replica', 'primary']);
  });

  it('continues to use the replica after a statement that exceeded its time limit', async () => {
    const { read } = setUp(() => {
      throw withCode('57014');
    });
    expect([await read(), await read()]).toEqual([
      ['replica', 'primary'],
      ['replica', 'primary'],
    ]);
  });

  describe('without a replica, when the database address may lead to a standby', () => {
    // Use the real time in these tests.
    beforeEach(() => jest.restoreAllMocks());

    it.each([new RowMissing(), withCode('40001'), withCode('ECONNRESET')])(
      'repeats a read once after %p',
      async (failure) => {
        const read = jest.fn(() => Promise.resolve('found')).mockRejectedValueOnce(failure);
        await expect(new ReplicaReads(PRIMARY, null).read(SNAPSHOT, read)).resolves.toBe('found');
        expect(read).toHaveBeenCalledTimes(2);
        const again = jest.fn(() => Promise.reject(failure));
        await expect(new ReplicaReads(PRIMARY, null).read(SNAPSHOT, again)).rejects.toBe(failure);
        expect(again).toHaveBeenCalledTimes(2);
      },
    );

    it.each([withCode('42601'), new RowPruned('pruned')])('does not repeat a read after %p', async (failure) => {
      const read = jest.fn(() => Promise.reject(failure));
      await expect(new ReplicaReads(PRIMARY, null).read(SNAPSHOT, read)).rejects.toBe(failure);
      expect(read).toHaveBeenCalledTimes(1);
    });

    it('reads only from a server that has the snapshot, because missing rows would look like no change', async () => {
      const connections = [0, 1].map((rowCount) => ({
        ...{ query: jest.fn(() => Promise.resolve({ rowCount })), on: jest.fn(), off: jest.fn(), release: jest.fn() },
      }));
      const connect = jest.fn<Promise<object>, []>();
      for (const connection of connections) connect.mockResolvedValueOnce(connection);
      const primary = Object.assign(new Pool(), { connect });
      const read = jest.fn(() => Promise.resolve('none'));
      await new ReplicaReads(primary, null).readAt(SNAPSHOT, read);
      expect(read.mock.calls.map(([asked]: unknown[]) => connections.findIndex((one) => one === asked))).toEqual([1]);
    });
  });

  it('rejects a read when the database itself fails', async () => {
    const { reads } = setUp(() => undefined, null);
    await expect(reads.read(SNAPSHOT, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
