/** The code of an error of Node, such as ECONNRESET. Unlike the message it quotes no addresses or content. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
