const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;

/** Decodes the five entities of XML and numeric ones, once; a bare `&` and other names stay as they are. */
export function decodeXmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (_entity, decimal?: string, hexadecimal?: string, name?: string) =>
    name === undefined
      ? characterOf(decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal))
      : (NAMED[name] ?? ''),
  );
}

/** What is no character of XML says nothing. */
function characterOf(codePoint: number): string {
  const isControl = codePoint < 0x20 && codePoint !== 0x09 && codePoint !== 0x0a && codePoint !== 0x0d;
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return isControl || isSurrogate || codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
}
