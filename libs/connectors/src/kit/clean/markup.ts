/** Elements whose content is not text for people. */
const OPAQUE = new Set(['script', 'style', 'iframe', 'svg', 'template', 'object', 'noscript', 'head', 'title']);
const BLOCKS = new Set(
  'br p div li ul ol dl dt dd tr table tbody h1 h2 h3 h4 h5 h6 hr section article header footer blockquote pre address figure figcaption'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
const TAG_NAME = /<\/?([a-z][a-z0-9]{0,21})/iy;
/** If a tag is longer, its quotation marks are treated as stray characters. */
const LONGEST_TAG = 10_000;

/** Block elements become line breaks; a `<` that opens no tag stays. The result contains no markup for any input. */
export function stripMarkup(text: string): string {
  let stripped = text;
  // Removing a tag may create a new one, as in <<b>script>.
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
  // Searched only once, so that a text full of tags that never end takes linear time.
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
  end: number;
  replacement: string;
}

function readMarkup(text: string, at: number, next: number, lastClose: number): Markup {
  if (next === 33 || next === 63) return readDeclaration(text, at, lastClose);
  // A tag that never ends is text; the blank keeps a browser from reading it as a tag.
  if (at > lastClose) return { end: at + 1, replacement: '< ' };
  TAG_NAME.lastIndex = at;
  const name = TAG_NAME.exec(text)?.[1]?.toLowerCase() ?? '';
  const end = behindResidue(text, at, endOfTag(text, at));
  if (OPAQUE.has(name) && next !== 47 && text.charCodeAt(end - 2) !== 47)
    return { end: endOfElement(text, end, name), replacement: '\n' };
  if (BLOCKS.has(name)) return { end, replacement: '\n' };
  return { end, replacement: CELLS.has(name) ? ' ' : '' };
}

/** Reads comments, CDATA sections, processing instructions and DOCTYPE. */
function readDeclaration(text: string, at: number, lastClose: number): Markup {
  if (text.startsWith('<!--', at)) {
    const close = text.indexOf('-->', at + 4);
    return { end: close === -1 ? text.length : close + 3, replacement: '' };
  }
  if (text.startsWith('<![CDATA[', at)) {
    const close = text.indexOf(']]>', at + 9);
    const content = text.slice(at + 9, close === -1 ? text.length : close);
    return { end: close === -1 ? text.length : close + 3, replacement: content };
  }
  if (at > lastClose) return { end: at + 1, replacement: '< ' };
  return { end: text.indexOf('>', at) + 1, replacement: '' };
}

/** Where a tag ends; a `>` in a quoted attribute value does not end it. */
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

const QUOTED_VALUES = /=(?:"[^"]*"|'[^']*')/g;
const RESIDUE = /[\w/-]*>/y;

/** In `<scr<script>ipt>` the rest after the first `>` belongs to a tag, and is not text. */
function behindResidue(text: string, at: number, end: number): number {
  if (text.indexOf('<', at + 1) >= end || !text.slice(at + 1, end).includes('<')) return end;
  let tags =
    text
      .slice(at + 1, end)
      .replace(QUOTED_VALUES, '')
      .split('<').length - 1;
  RESIDUE.lastIndex = end;
  for (; tags > 0 && RESIDUE.test(text); tags -= 1) end = RESIDUE.lastIndex;
  RESIDUE.lastIndex = 0;
  return end;
}

function endOfElement(text: string, from: number, name: string): number {
  const close = new RegExp(`</${name}\\b[^>]*>?`, 'gi');
  close.lastIndex = from;
  return close.exec(text) === null ? text.length : close.lastIndex;
}

/** The names of the HTML 4 entities for the code points 160 to 255, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const OTHERS: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', fnof: 'ƒ', circ: 'ˆ', tilde: '˜' },
  ...{ ensp: ' ', emsp: ' ', thinsp: ' ', zwnj: '', zwj: '', lrm: '', rlm: '' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
  ...{ dagger: '†', Dagger: '‡', bull: '•', hellip: '…', permil: '‰', prime: '′', Prime: '″' },
  ...{ lsaquo: '‹', rsaquo: '›', oline: '‾', frasl: '⁄', euro: '€', trade: '™', alefsym: 'ℵ' },
  ...{ larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', rArr: '⇒', lArr: '⇐', hArr: '⇔', crarr: '↵' },
  ...{ minus: '−', lowast: '∗', radic: '√', infin: '∞', asymp: '≈', ne: '≠', equiv: '≡', le: '≤', ge: '≥' },
  ...{ sum: '∑', part: '∂', prod: '∏', cap: '∩', sdot: '⋅', loz: '◊' },
  ...{ spades: '♠', clubs: '♣', hearts: '♥', diams: '♦', check: '✓', star: '☆', starf: '★', phone: '☎' },
  ...{ alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', mu: 'μ', pi: 'π', sigma: 'σ', Omega: 'Ω', omega: 'ω' },
};

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries(OTHERS),
]);

/** The characters for `&#128;` to `&#159;`: browsers read them as windows-1252, which the authors meant. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,9}));/y;

/** Decodes once; invalid entities stay. It uses a loop, because `replace` would hold every match in memory first. */
export function decodeEntities(text: string): string {
  let decoded = '';
  let from = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    ENTITY.lastIndex = at;
    const found = ENTITY.exec(text);
    if (found === null) continue;
    const [entity, decimal, hexadecimal = '', name] = found;
    const codePoint = decimal === undefined ? parseInt(hexadecimal, 16) : Number(decimal);
    const character = name === undefined ? characterOf(codePoint) : NAMED.get(name);
    if (character === undefined) continue;
    decoded += text.slice(from, at) + character;
    from = at + entity.length;
    at = from - 1;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

function characterOf(codePoint: number): string {
  if (codePoint >= 0x80 && codePoint <= 0x9f) return WINDOWS_1252.charAt(codePoint - 0x80);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint === 0 || codePoint > 0x10ffff || isSurrogate ? '' : String.fromCodePoint(codePoint);
}
