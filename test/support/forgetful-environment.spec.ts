import { AsyncLocalStorage } from 'node:async_hooks';
import ForgetfulEnvironment from './forgetful-environment';

/** The end of a test file; this one goes on. */
async function endOfFile(): Promise<void> {
  await ForgetfulEnvironment.prototype.teardown.call({ _globalProxy: { clear: () => undefined } } as never);
}

describe('a storage of a test file', () => {
  it('is forgotten at the end of the file, and there again when it is used again', async () => {
    const storage = new AsyncLocalStorage<string>();
    storage.enterWith('before');
    await endOfFile();
    expect(storage.getStore()).toBeUndefined();
    expect(storage.run('again', () => storage.getStore())).toBe('again');
  });

  it('is forgotten also when only a call was made in it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const disable = jest.spyOn(storage, 'disable');
    expect(storage.run('call', () => storage.getStore())).toBe('call');
    await endOfFile();
    expect(disable).toHaveBeenCalledTimes(1);
    await endOfFile();
    expect(disable).toHaveBeenCalledTimes(1);
  });
});
