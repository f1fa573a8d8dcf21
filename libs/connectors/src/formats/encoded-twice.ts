import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/**
 * Signs of text that was encoded twice: letters begin with `Ã` or `Â`; dashes, quotation marks and the euro sign begin
 * with `â`.
 */
const SUSPECT = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â(?:€|‚¬|[\u0080\u0082])/;
/** Each suspect passage contains one of these. To search for them is ten times faster than the expression. */
const SIGNS = ['Ã', 'Â', 'â€', 'â‚¬', 'â\u0080', 'â\u0082'];
/**
 * Two characters that are never adjacent in a correct word. Quotation marks and blanks are left out, because they may
 * follow `Ã` in Portuguese capitals.
 */
const CERTAIN = /Ã[¡-ª¬-º¼-¿]|Â[°²³]|â€[™œ“”˜¦]|â‚¬|â[\u0080\u0082]/;
const FOREIGN = /[\u0080-\uffff]+/g;

/** The repaired text, and whether a doubtful passage was left unchanged. */
export interface Mended {
  text: string;
  isDoubtful: boolean;
}

/** Repairs a text such as `BÃ©ziers` if only one reading is possible. Other texts cost only one search. */
export function mendEncodedTwice(text: string): Mended {
  if (!SIGNS.some((sign) => text.includes(sign)) || !SUSPECT.test(text)) return { text, isDoubtful: false };
  if (!CERTAIN.test(text)) return { text, isDoubtful: true };
  const mended = text.replace(FOREIGN, onceDecoded);
  return { text: mended, isDoubtful: CERTAIN.test(mended) };
}

/** Leaves a correct passage unchanged: its characters, read as bytes, are not valid UTF-8. */
function onceDecoded(run: string): string {
  const bytes = bytesOf(run);
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString('utf8') : run;
}

function bytesOf(run: string): Buffer | undefined {
  const bytes: number[] = [];
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code <= 0xff ? code : iconv.encode(character, 'windows-1252')[0];
    if (byte === undefined || byte < 0x80) return undefined;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}
