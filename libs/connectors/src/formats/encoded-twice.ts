import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** The first letter of most characters that were encoded twice, and of dashes, quotation marks and the euro. */
const SUSPECT = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â(?:€|‚¬|[\u0080\u0082])/;
/** Two signs that no word has side by side. A quotation mark or a blank may follow a Portuguese word in capitals. */
const CERTAIN = /Ã[¡-ª¬-º¼-¿]|Â[°²³]|â€[™œ“”˜¦]|â‚¬|â[\u0080\u0082]/;
const FOREIGN = /[\u0080-\uffff]+/g;

/** A text as it was before its UTF-8 was encoded a second time, and whether a doubtful passage was left unchanged. */
export interface Mended {
  text: string;
  isDoubtful: boolean;
}

/** Repairs `BÃ©ziers` if it has only one possible meaning. For other texts the cost is one search. */
export function mendEncodedTwice(text: string): Mended {
  if (!SUSPECT.test(text)) return { text, isDoubtful: false };
  if (!CERTAIN.test(text)) return { text, isDoubtful: true };
  const mended = text.replace(FOREIGN, onceDecoded);
  return { text: mended, isDoubtful: CERTAIN.test(mended) };
}

/** A correct passage is not valid UTF-8 when its characters are read as bytes: it stays unchanged. */
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
