import { Pool } from 'pg';
import { RowMissing, ReplicaReads } from './replica-reads';

// Never connected.
const [PRIMARY, REPLICA] = [new Pool(), new Pool()];
const SNAPSHOT = { gatewayId: 1, id: 1 };

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

  it('are tried again where the database is several servers, of which one may be behind or gone', async () => {
    const several = new Pool({ connectionString: 'postgres://one,two/database' });
    const published = jest.spyOn(several, 'query').mockImplementation(() => Promise.resolve({ rowCount: 1 }) as never);
    const reads = new ReplicaReads(several, null);
    const codeOf = (code: string): Error => Object.assign(new Error(code), { code });
    for (const failure of [new RowMissing(), codeOf('40001'), codeOf('ECONNRESET')]) {
      const read = jest.fn(() => Promise.resolve('found')).mockRejectedValueOnce(failure);
      await expect(reads.read(SNAPSHOT, read)).resolves.toBe('found');
      expect([read.mock.calls.length, published.mock.calls.length]).toEqual([2, 0]);
    }
    const refused = jest.fn(() => Promise.reject(codeOf('42601')));
    await expect(reads.read(SNAPSHOT, refused)).rejects.toThrow('42601');
    expect(refused).toHaveBeenCalledTimes(1);
    // What is not there yet would look as if it were none.
    published.mockImplementationOnce(() => Promise.resolve({ rowCount: 0 }) as never);
    const read = jest.fn(() => Promise.resolve('none'));
    await reads.readAt(SNAPSHOT, read);
    expect([read.mock.calls.length, published.mock.calls.length]).toEqual([1, 2]);
  });

  it('fail when the database itself does', async () => {
    const { reads } = setUp(() => undefined, null);
    await expect(reads.read(SNAPSHOT, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
