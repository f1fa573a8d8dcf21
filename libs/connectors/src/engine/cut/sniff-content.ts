/** The probable type of a document by its first bytes, in words for an error message; undefined when unclear. */
export function sniffContent(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 512));
  if (head.length >= 2 && head[0] === 0x50 && head[1] === 0x4b) return 'a ZIP archive';
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return 'gzip-compressed bytes';
  if (head.includes(0)) return 'binary bytes';
  const text = head.toString('latin1').trimStart().toLowerCase();
  if (/^<(!doctype\s+html|html|head|body)\b/.test(text)) return 'an HTML page';
  if (text.startsWith('<')) return 'XML';
  if (/^(\{\s*["}]|\[\s*[[{"\]\d])/.test(text)) return 'JSON';
  return undefined;
}
