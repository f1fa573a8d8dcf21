import { Pool } from 'pg';
import { RowMissing, ReplicaReads } from './replica-reads';

// Never connected.
const [PRIMARY, REPLICA] = [new Pool(), new Pool()];

describe('reads from a replica', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Where each read was tried, when the replica answers like this. */
  function setUp(onReplica: () => void, replica: Pool | null = REPLICA) {
    const reads = new ReplicaReads(PRIMARY, replica);
    const read = async (): Promise<string[]> => {
      const tried: string[] = [];
      await reads.read((pool, isReplica) => {
        tried.push(pool === REPLICA ? 'replica' : 'primary');
        expect(isReplica).toBe(pool === REPLICA);
        if (isReplica) onReplica();
        return Promise.resolve(0);
      });
      return tried;
    };
    return { reads, read };
  }

  it('come from it while it answers', async () => {
    const { reads, read } = setUp(() => undefined);
    expect([await read(), await read()]).toEqual([['replica'], ['replica']]);
    expect(reads.figures).toEqual({ replica: 2, primary: 0 });
  });

  it('come from the database itself what it has not got yet, and it is asked for the next', async () => {
    const { reads, read } = setUp(() => {
      throw new RowMissing();
    });
    expect([await read(), await read()]).toEqual([
      ['replica', 'primary'],
      ['replica', 'primary'],
    ]);
    expect(reads.figures).toEqual({ replica: 0, primary: 2 });
  });

  it('leave it alone for a while when it fails', async () => {
    const { read } = setUp(() => {
      throw new Error('connection refused');
    });
    expect(await read()).toEqual(['replica', 'primary']);
    nowMs += 9_999;
    expect(await read()).toEqual(['primary']);
    nowMs += 1;
    expect(await read()).toEqual(['replica', 'primary']);
  });

  it('fail when the database itself does', async () => {
    const { reads } = setUp(() => undefined, null);
    await expect(reads.read(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
