import { types } from 'node:util';

/**
 * Makes errors of Node's own modules instances of Error. Each test file has an Error of its own, which those are not made
 * with; libraries that ask `instanceof Error` would take them for something else, as they do nowhere but under jest.
 */
export function recogniseNativeErrors(): void {
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === Error) return types.isNativeError(value);
      return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
    },
  });
}
