/**
 * The code of an error of Node, such as ECONNRESET. Safe to show, unlike the error's message, which may quote
 * addresses or content.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
