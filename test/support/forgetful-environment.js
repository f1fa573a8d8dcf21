/**
 * Jest's environment for Node, which forgets the storages of a test file at its end. Each file brings its own copy of jest-circus,
 * with an `AsyncLocalStorage` that stays in use: on Node before 24 every promise of every later file pays for each of them, and
 * after 200 files a loop of a million `await` takes two minutes in the place of a second.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const used = new Set();

for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    used.add(this);
    return original.apply(this, given);
  };
}

module.exports = class ForgetfulEnvironment extends TestEnvironment {
  async teardown() {
    await super.teardown();
    // One that is used again is there again.
    for (const storage of used) storage.disable();
    used.clear();
  }
};
