import { createContext, Script } from 'node:vm';

/** Records above this size are always mapped in a thread that can be ended. */
export const LARGE_BYTES = 64 * 1024;
/** Below this size even mapping in quadratic time ends soon, and a limit would cost more than the mapping. */
const UNLIMITED_BYTES = 4 * 1024;
/** How long records may occupy the thread that answers probes, in ms. */
const OWN_THREAD_MS = 150;

export const STOPPED = Symbol('stopped');

const sandbox: { work: () => void } = { work: () => undefined };
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Maps records with a time limit. The limit is only for overlooked cases, because mapping takes linear time. V8 can
 * interrupt even a regular expression.
 * @returns `STOPPED` when it took too long; then nothing that the mapping has changed may be used.
 */
export function mapWithinLimit<T>(bytes: number, map: () => T): T | typeof STOPPED {
  if (bytes < UNLIMITED_BYTES) return map();
  let result: T | typeof STOPPED = STOPPED;
  sandbox.work = () => {
    result = map();
  };
  try {
    script.runInContext(context, { timeout: OWN_THREAD_MS });
    return result;
  } catch (error) {
    if (hasCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) return STOPPED;
    throw error;
  } finally {
    sandbox.work = () => undefined;
  }
}

/** Does not check the class, because the error may come from another realm, which has a different `Error` class. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
