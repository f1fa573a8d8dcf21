/** Elements whose content is not text for people. */
const OPAQUE = new Set(['script', 'style', 'iframe', 'svg', 'template', 'object', 'noscript', 'head', 'title']);
/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  'br p div li ul ol dl dt dd tr table tbody h1 h2 h3 h4 h5 h6 hr section article header footer blockquote pre address figure figcaption'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
/** Beyond this a quote inside a tag is taken for a stray one. */
const LONGEST_TAG = 10_000;

/**
 * Takes tags, comments and scripts out of a text: block elements become line breaks, the others nothing.
 * A `<` that opens no tag is text ("surface < 100 m²") and stays. What is left holds no markup, whatever came in.
 */
export function stripMarkup(text: string): string {
  let stripped = text;
  // What a removed tag leaves side by side may be a tag again: <<b>script>.
  for (let round = 0; round < 4 && stripped.includes('<'); round += 1) {
    const before = stripped;
    stripped = stripOnce(before);
    if (stripped === before) return before;
  }
  return stripped.includes('<') ? stripped.replace(/<(?=[a-z/!?])/gi, '< ') : stripped;
}

function stripOnce(text: string): string {
  let out = '';
  let from = 0;
  let at = text.indexOf('<');
  // Looked for once, so that a text full of tags that never end costs linear time.
  const lastClose = text.lastIndexOf('>');
  while (at !== -1) {
    const next = text.charCodeAt(at + 1);
    if (!opensMarkup(next)) {
      at = text.indexOf('<', at + 1);
      continue;
    }
    out += text.slice(from, at);
    const { end, replacement } = readMarkup(text, at, next, lastClose);
    out += replacement;
    from = end;
    at = text.indexOf('<', from);
  }
  return out + text.slice(from);
}

function opensMarkup(code: number): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || code === 47 /* / */ || code === 33 /* ! */ || code === 63; /* ? */
}

interface Markup {
  /** The first character behind it. */
  end: number;
  replacement: string;
}

function readMarkup(text: string, at: number, next: number, lastClose: number): Markup {
  if (next === 33 || next === 63) return readDeclaration(text, at);
  // A tag that never ends is no tag; the blank keeps a browser from taking it for one.
  if (at > lastClose) return { end: at + 1, replacement: '< ' };
  const name = /^<\/?([a-z][a-z0-9]*)/i.exec(text.slice(at, at + 24))?.[1]?.toLowerCase() ?? '';
  const end = endOfTag(text, at);
  if (OPAQUE.has(name) && next !== 47 && text.charCodeAt(end - 2) !== 47)
    return { end: endOfElement(text, end, name), replacement: '\n' };
  if (BLOCKS.has(name)) return { end, replacement: '\n' };
  return { end, replacement: CELLS.has(name) ? ' ' : '' };
}

/** Comments, CDATA markers, processing instructions, DOCTYPE. */
function readDeclaration(text: string, at: number): Markup {
  if (text.startsWith('<!--', at)) {
    const close = text.indexOf('-->', at + 4);
    return { end: close === -1 ? text.length : close + 3, replacement: '' };
  }
  if (text.startsWith('<![CDATA[', at)) {
    const close = text.indexOf(']]>', at + 9);
    const content = text.slice(at + 9, close === -1 ? text.length : close);
    return { end: close === -1 ? text.length : close + 3, replacement: content };
  }
  const close = text.indexOf('>', at);
  return close === -1 ? { end: at + 1, replacement: '< ' } : { end: close + 1, replacement: '' };
}

/** Where a tag ends, `>` in quoted attribute values not counted. */
function endOfTag(text: string, at: number): number {
  const limit = Math.min(text.length, at + LONGEST_TAG);
  for (let index = at + 1; index < limit; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 62 /* > */) return index + 1;
    const opensValue = (code === 34 || code === 39) && text.charCodeAt(index - 1) === 61; /* =" or =' */
    if (opensValue) {
      const close = text.indexOf(code === 34 ? '"' : "'", index + 1);
      if (close === -1 || close >= limit) break;
      index = close;
    }
  }
  return text.indexOf('>', at) + 1;
}

function endOfElement(text: string, from: number, name: string): number {
  const close = new RegExp(`</${name}\\b[^>]*>?`, 'gi');
  close.lastIndex = from;
  return close.exec(text) === null ? text.length : close.lastIndex;
}
