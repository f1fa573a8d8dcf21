import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const used = new Set<AsyncLocalStorage<unknown>>();

for (const name of ['run', 'enterWith'] as const) {
  const original = AsyncLocalStorage.prototype[name] as (...given: unknown[]) => unknown;
  Object.defineProperty(AsyncLocalStorage.prototype, name, {
    ...{ configurable: true, writable: true },
    value(this: AsyncLocalStorage<unknown>, ...given: unknown[]): unknown {
      used.add(this);
      return original.apply(this, given);
    },
  });
}

/**
 * Jest's environment for Node, which forgets the storages of a test file at its end. Each file brings its own copy of jest-circus,
 * with an `AsyncLocalStorage` that stays in use: on Node before 24 every promise of every later file pays for each of them, and
 * after 200 files a loop of a million `await` takes two minutes instead of a second.
 */
export default class ForgetfulEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    // One that is used again is there again.
    for (const storage of used) storage.disable();
    used.clear();
  }
}
