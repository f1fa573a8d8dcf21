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
 * Jest's environment for Node that disables a test file's `AsyncLocalStorage` objects when the file ends. Each file
 * loads its own copy of jest-circus, whose `AsyncLocalStorage` would stay enabled. On Node before 24, such objects slow
 * down every promise of later files: after 200 files, a million `await` take two minutes instead of a second.
 */
export default class ForgetfulEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    // A storage that is used again enables itself.
    for (const storage of used) storage.disable();
    used.clear();
  }
}
