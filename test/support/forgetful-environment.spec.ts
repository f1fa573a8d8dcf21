import { AsyncLocalStorage } from 'node:async_hooks';
import ForgetfulEnvironment from './forgetful-environment';

/** Simulates the end of a test file, while this file continues. */
async function endOfFile(): Promise<void> {
  await ForgetfulEnvironment.prototype.teardown.call({ _globalProxy: { clear: () => undefined } } as never);
}

describe('AsyncLocalStorage of a test file', () => {
  it('is disabled at the end of the file, and works again when code uses it again', async () => {
    const storage = new AsyncLocalStorage<string>();
    storage.enterWith('before');
    await endOfFile();
    expect(storage.getStore()).toBeUndefined();
    expect(storage.run('again', () => storage.getStore())).toBe('again');
  });

  it('is disabled even if code called only its run method', async () => {
    const storage = new AsyncLocalStorage<string>();
    const disable = jest.spyOn(storage, 'disable');
    expect(storage.run('call', () => storage.getStore())).toBe('call');
    await endOfFile();
    expect(disable).toHaveBeenCalledTimes(1);
    await endOfFile();
    expect(disable).toHaveBeenCalledTimes(1);
  });
});
