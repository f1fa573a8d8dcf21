/** A query parameter as it was sent: once it is decoded, a comma within a value looks like one between two. */
export function sentParameter(url: string, name: string): string {
  return new RegExp(`[?&]${name}=([^&#]*)`).exec(url)?.[1] ?? '';
}

/**
 * Values that are percent-encoded each and separated by commas. Where commas are encoded too, a client has encoded the list as a
 * whole once more.
 */
export function splitEncoded(list: string): string[] {
  return list.includes(',') ? list.split(',').map(decoded) : decoded(list).split(',').map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A value with a percent sign, decoded already.
    return text;
  }
}
