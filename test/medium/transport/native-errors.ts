import { types } from 'node:util';

/**
 * Makes errors of Node's own modules instances of Error. Under jest, each test file has its own Error, which those
 * modules do not use. Without this, `instanceof Error` is false in libraries, which happens only under jest.
 */
export function recogniseNativeErrors(): void {
  Object.defineProperty(Error, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === Error) return types.isNativeError(value);
      return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
    },
  });
}
