import { WrongUse } from '../failures';

/** What can travel in a header as it is, and cannot be guessed in an afternoon. */
const KEY = /^[\x21-\x7e]{8,256}$/;

/** @throws WrongUse; it does not repeat the key. */
export function parseApiKey(option: string, text: string): string {
  if (KEY.test(text)) return text;
  throw new WrongUse(`${option} takes 8 to 256 printable ASCII characters without spaces`);
}
