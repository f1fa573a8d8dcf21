/**
 * A copy of a text, for texts that are kept longer than a request. V8 stores a text that was cut from another, or put
 * together from parts, as a reference to these: a table with a name of twenty letters would keep the whole address of
 * 15,000 that contained it.
 *
 * @param text well-formed: half of a surrogate pair would be replaced
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
