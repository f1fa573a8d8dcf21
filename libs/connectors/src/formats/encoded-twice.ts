import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** The first letter of most characters that were encoded twice, and of dashes, quotation marks and the euro. */
const SUSPECT = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â(?:€|‚¬|[\u0080\u0082])/;
/** Two signs that no word has side by side: `Ã©`, `Ã¨`, `â€™`. A quotation mark or a blank may end a Portuguese word in capitals. */
const CERTAIN = /Ã[¡-ª¬-º¼-¿]|Â[°²³]|â€[™œ“”˜¦]|â‚¬|â[\u0080\u0082]/;
const FOREIGN = /[\u0080-\uffff]+/g;

/** A text as it was before its UTF-8 was encoded once more, and whether something in it looks so that cannot be told. */
export interface Mended {
  text: string;
  isDoubtful: boolean;
}

/** Mends `BÃ©ziers` where nothing else can be meant. A look at the text is all that other texts cost. */
export function mendEncodedTwice(text: string): Mended {
  if (!SUSPECT.test(text)) return { text, isDoubtful: false };
  if (!CERTAIN.test(text)) return { text, isDoubtful: true };
  const mended = text.replace(FOREIGN, onceDecoded);
  return { text: mended, isDoubtful: CERTAIN.test(mended) };
}

/** What stands already as it should is no UTF-8 when it is taken for bytes. */
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
