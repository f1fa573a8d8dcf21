/**
 * Whether a text is an address that `new URL` takes. `URL.canParse` of Node.js 20 is no help: once it has been called often
 * enough, it refuses every address with an accent in it.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
