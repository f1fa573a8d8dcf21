const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NUMBER = /^#(?:(\d{1,7})|x([0-9a-fA-F]{1,6}))$/;
/** The maximum distance from `&` to `;`, as in `&#1234567;`. */
const LONGEST = 9;
const AMPERSAND = '&';
const SEMICOLON = 0x3b;

/**
 * Decodes once; a bare `&` and unknown names stay. It uses a loop, because `replace` would hold every match in memory
 * first.
 */
export function decodeXmlEntities(text: string): string {
  let decoded = '';
  let from = 0;
  for (let at = text.indexOf(AMPERSAND); at !== -1; at = text.indexOf(AMPERSAND, at + 1)) {
    const end = endOfEntity(text, at);
    const character = end === -1 ? undefined : characterNamed(text.slice(at + 1, end));
    if (character === undefined) continue;
    decoded += text.slice(from, at) + character;
    from = end + 1;
    at = end;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

/** @returns the position of `;`, or -1 if no entity begins here. */
function endOfEntity(text: string, at: number): number {
  for (let end = at + 2; end <= at + LONGEST; end += 1) if (text.charCodeAt(end) === SEMICOLON) return end;
  return -1;
}

function characterNamed(name: string): string | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  const [, decimal, hexadecimal] = NUMBER.exec(name) ?? [];
  if (decimal !== undefined) return characterOf(Number(decimal));
  return hexadecimal === undefined ? undefined : characterOf(parseInt(hexadecimal, 16));
}

/** The character, or an empty text for a code point that XML does not allow. */
function characterOf(codePoint: number): string {
  const isControl = codePoint < 0x20 && codePoint !== 0x09 && codePoint !== 0x0a && codePoint !== 0x0d;
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return isControl || isSurrogate || codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
}
