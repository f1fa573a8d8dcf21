import { retryLostRead } from './retry-lost-read';

const LOST = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** A database that fails with these errors, one after the other, and then answers. */
function failingWith(...failures: Error[]): jest.Mock<Promise<string>, []> {
  const read = jest.fn(() => Promise.resolve('found'));
  for (const failure of failures) read.mockRejectedValueOnce(failure);
  return read;
}

describe('retryLostRead', () => {
  it('repeats a read once when the connection is lost', async () => {
    const read = failingWith(LOST);
    await expect(retryLostRead(read)).resolves.toBe('found');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('repeats a read at most once', async () => {
    const read = failingWith(LOST, LOST);
    await expect(retryLostRead(read)).rejects.toBe(LOST);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it.each([
    Object.assign(new Error('syntax error'), { code: '42601' }),
    new Error('timeout exceeded when trying to connect'),
    new Error('timeout expired'),
    new Error('Connection terminated due to connection timeout'),
  ])('does not repeat a read after %p', async (failure) => {
    const read = failingWith(failure);
    await expect(retryLostRead(read)).rejects.toBe(failure);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
