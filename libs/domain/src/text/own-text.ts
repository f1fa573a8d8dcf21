/**
 * The same text in memory of its own, for what is kept longer than a request. V8 keeps a text that was cut from another, or
 * put together from parts, as a reference to these: a table that keeps a name of twenty letters keeps the address of 15,000 that it
 * was read from.
 *
 * @param text well-formed: a half of a surrogate pair would be replaced
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
