/** V8 keeps a cut text as a reference to its original. @param text well-formed: unpaired surrogates are replaced */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
