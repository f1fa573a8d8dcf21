import { types } from 'node:util';

/**
 * Makes errors of Node's modules instances of `Error`. Under jest, each test file has a different `Error` than Node's
 * modules, so `instanceof Error` would be false in libraries.
 */
export function recogniseNativeErrors(): void {
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === Error) return types.isNativeError(value);
      return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
    },
  });
}
