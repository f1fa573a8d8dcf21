import { createContext, Script } from 'node:vm';

/** Records above this are always mapped in a thread that can be ended. */
export const LARGE_BYTES = 64 * 1024;
/** Below this even mapping in quadratic time is over soon, and a limit would cost more than the mapping. */
const UNLIMITED_BYTES = 4 * 1024;
/** How long records may occupy the thread that answers probes, in ms. */
const OWN_THREAD_MS = 150;

/** The work took too long, and was stopped in its middle. */
export const STOPPED = Symbol('stopped');

const sandbox: { work: () => void } = { work: () => undefined };
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Maps records here, in the thread that answers probes. Mapping is linear, so the limit is for what has been overlooked: V8 can
 * stop a regular expression in its middle.
 *
 * @param bytes of all records.
 * @returns `STOPPED` when it took too long. Nothing that it has changed may be used then.
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

/** Whether an error of Node has this code. It may come from another realm, whose `Error` is another. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
