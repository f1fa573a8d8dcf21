import type { ListPaths } from './list-paths';
import { decodeXmlEntities } from './xml-entities';

/** An element as an object: children by local name, attributes as `@name`, its own text as `#text`. All values are text. */
export type XmlRecord = Readonly<Record<string, unknown>>;

/** The text is not a well-formed element. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

interface Frame {
  name: string;
  /** Attributes and children; undefined as long as the element has only text. */
  members: Record<string, unknown> | undefined;
  text: string;
  /**
   * The length of the text that must not be trimmed: blanks at the end of CDATA are content, other blanks are layout.
   */
  cdataEnd: number;
  lists: ListPaths | undefined;
}

const MAX_DEPTH = 100;
const SLASH = 0x2f;
const CLOSE = 0x3e;
const EQUALS = 0x3d;
const DOUBLE = 0x22;
const SINGLE = 0x27;
const BLANK = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const BANG = 0x21;
const QUESTION_MARK = 0x3f;
const ATTRIBUTE = /([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')\s*/y;
/** XML turns all line ends into LF. */
const LINE_END = /\r\n?/g;
const NAME_START = /[\p{L}_:]/u;
const TAG_NAME = /[^\s/>=<"'&]+/y;

/**
 * Values stay text: `01000` is a postcode. Prefixes are dropped; repeated elements and those of `lists` are lists.
 * DOCTYPE and declared entities are refused, so nothing can expand (docs/decisions/0006). @throws XmlFault
 */
export function parseXmlElement(xml: string, lists?: ListPaths): XmlRecord {
  const text = xml.includes('\r') ? xml.replace(LINE_END, '\n') : xml;
  const root: Frame = newFrame('', undefined);
  const stack: Frame[] = [root];
  let frame = root;
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open === -1) break;
    if (open > at && !(frame.text === '' && isBlank(text, at, open))) addText(frame, text.slice(at, open));
    const next = text.charCodeAt(open + 1);
    const leaf = stack.length > 1 && stack.length <= MAX_DEPTH && isNameCode(next) ? readLeaf(text, open) : undefined;
    if (leaf !== undefined) {
      addMember(frame, leaf.name, frame.lists?.children.get(leaf.name)?.isList === true, leaf.text);
      at = leaf.end;
    } else if (next === SLASH) {
      const close = endOf(text, '>', open + 2);
      const name = localName(text.slice(open + 2, close).trim());
      if (frame.name !== name || stack.length === 1) throw new XmlFault(`</${name}> closes <${frame.name}>`);
      stack.pop();
      const parent = stack[stack.length - 1]!;
      addChild(parent, frame);
      frame = parent;
      at = close + 1;
    } else if (next === BANG || next === QUESTION_MARK) {
      at = readSpecial(text, open, frame);
    } else if (!isNameCode(next) && !NAME_START.test(text.charAt(open + 1))) {
      // "surface < 100 m²" is not well-formed, but its meaning is clear.
      addText(frame, '<');
      at = open + 1;
    } else {
      if (stack.length === 1 && root.members !== undefined) throw new XmlFault('there is a second element');
      const { child, end, isClosed } = readTag(
        text,
        open,
        stack.length === 1 ? lists : frame.lists,
        stack.length === 1,
      );
      at = end;
      if (isClosed) addChild(frame, child);
      else {
        if (stack.length > MAX_DEPTH) throw new XmlFault('elements are nested too deeply');
        stack.push(child);
        frame = child;
      }
    }
  }
  if (stack.length > 1) throw new XmlFault(`<${frame.name}> is not closed`);
  if (text.slice(at).trim() !== '' || root.text.trim() !== '') throw new XmlFault('there is text around the element');
  const parsed = root.members === undefined ? undefined : Object.values(root.members)[0];
  if (parsed === undefined) throw new XmlFault('there is no element');
  if (typeof parsed === 'string') return parsed === '' ? {} : { '#text': parsed };
  return parsed as XmlRecord;
}

function newFrame(name: string, lists: ListPaths | undefined): Frame {
  return { name, members: undefined, text: '', cdataEnd: 0, lists };
}

/** Reads an element that has only text, without attributes. Most elements have this form, and they need no frame. */
function readLeaf(text: string, open: number): { name: string; text: string; end: number } | undefined {
  const nameEnd = endOfName(text, open + 1);
  if (text.charCodeAt(nameEnd) !== CLOSE) return undefined;
  const close = text.indexOf('<', nameEnd);
  const name = nameAt(text, open + 1, nameEnd);
  const end = close + 2 + name.length;
  if (text.charCodeAt(close + 1) !== SLASH || !text.startsWith(name, close + 2) || text.charCodeAt(end) !== CLOSE)
    return undefined;
  return { name, text: decodeXmlEntities(text.slice(nameEnd + 1, close)).trim(), end: end + 1 };
}

function endOfName(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); isNameCode(code) || (code >= 48 && code <= 57) || code === 45;) {
    end += 1;
    code = text.charCodeAt(end);
  }
  return end;
}

/** An ASCII letter or `_`. */
function isNameCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

/** A feed has few names: each is stored once and reused. */
const KNOWN_NAMES = 512;
const knownNames = new Array<string>(KNOWN_NAMES).fill('');

function nameAt(text: string, start: number, end: number): string {
  const length = end - start;
  const place = (length * 37 + text.charCodeAt(start) * 7 + text.charCodeAt(end - 1)) % KNOWN_NAMES;
  const known = knownNames[place]!;
  if (known.length === length && text.startsWith(known, start)) return known;
  const name = text.slice(start, end);
  knownNames[place] = name;
  return name;
}

function readTag(
  text: string,
  open: number,
  lists: ListPaths | undefined,
  isRoot: boolean,
): { child: Frame; end: number; isClosed: boolean } {
  const name = readName(text, open + 1);
  const local = localName(name);
  const child = newFrame(local, isRoot ? lists : lists?.children.get(local));
  let at = skipBlanks(text, open + 1 + name.length);
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === CLOSE) return { child, end: at + 1, isClosed: false };
    if (code === SLASH && text.charCodeAt(at + 1) === 0x3e) return { child, end: at + 2, isClosed: true };
    const plain = readPlainAttribute(text, at);
    if (plain !== undefined) {
      setMember((child.members ??= {}), plain.name, plain.value);
      at = plain.end;
      continue;
    }
    ATTRIBUTE.lastIndex = at;
    const attribute = ATTRIBUTE.exec(text);
    if (attribute === null) throw new XmlFault(`<${name}> has a broken attribute or no end`);
    at = ATTRIBUTE.lastIndex;
    const [, key = '', double, single] = attribute;
    if (key === 'xmlns' || key.startsWith('xmlns:')) continue;
    setMember((child.members ??= {}), `@${localName(key)}`, decodeXmlEntities(double ?? single ?? '').trim());
  }
}

/**
 * Reads an attribute in the usual form: an ASCII name, no blanks around `=`, then the next attribute or the end of the
 * tag.
 */
function readPlainAttribute(text: string, at: number): { name: string; value: string; end: number } | undefined {
  const nameEnd = endOfName(text, at);
  const quote = text.charCodeAt(nameEnd + 1);
  if (nameEnd === at || text.charCodeAt(nameEnd) !== EQUALS || (quote !== DOUBLE && quote !== SINGLE)) return undefined;
  const close = text.indexOf(quote === DOUBLE ? '"' : "'", nameEnd + 2);
  if (close === -1) return undefined;
  const value = text.slice(nameEnd + 2, close);
  let end = close + 1;
  while (text.charCodeAt(end) === BLANK) end += 1;
  const next = text.charCodeAt(end);
  const isPlain = next === CLOSE || next === SLASH || isNameCode(next);
  const name = nameAt(text, at, nameEnd);
  if (!isPlain || name === 'xmlns' || value.includes('<')) return undefined;
  return { name: attributeNames.get(name) ?? rememberAttribute(name), value: decodeXmlEntities(value).trim(), end };
}

const attributeNames = new Map<string, string>();

function rememberAttribute(name: string): string {
  const prefixed = `@${name}`;
  if (attributeNames.size < KNOWN_NAMES) attributeNames.set(name, prefixed);
  return prefixed;
}

function readName(text: string, start: number): string {
  const end = endOfName(text, start);
  const next = text.charCodeAt(end);
  if (end > start && (next === CLOSE || next === SLASH || next === BLANK)) return nameAt(text, start, end);
  TAG_NAME.lastIndex = start;
  const name = TAG_NAME.exec(text)?.[0];
  if (name === undefined) throw new XmlFault('a < opens no tag');
  return name;
}

/** Skips comments and instructions, and reads CDATA as text. */
function readSpecial(text: string, open: number, frame: Frame): number {
  if (text.startsWith('<!--', open)) return endOf(text, '-->', open + 4) + 3;
  if (text.startsWith('<?', open)) return endOf(text, '?>', open + 2) + 2;
  if (!text.startsWith('<![CDATA[', open)) throw new XmlFault('a declaration is refused');
  const close = endOf(text, ']]>', open + 9);
  if (close > open + 9) {
    frame.text += text.slice(open + 9, close);
    frame.cdataEnd = frame.text.length;
  }
  return close + 3;
}

/** Whether a part of the text has only the blanks that XML knows. */
function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== BLANK && code !== LINE_FEED && code !== TAB) return false;
  }
  return true;
}

function addText(frame: Frame, text: string): void {
  const decoded = decodeXmlEntities(text);
  frame.text += frame.text === '' ? decoded.trimStart() : decoded;
}

function addChild(parent: Frame, child: Frame): void {
  const text = trimmedTo(child.cdataEnd, child.text);
  let value: unknown = text;
  if (child.members !== undefined) {
    if (text !== '') child.members['#text'] = text;
    value = child.members;
  }
  addMember(parent, child.name, parent.name !== '' && child.lists?.isList === true, value);
}

function addMember(parent: Frame, name: string, isList: boolean, value: unknown): void {
  const members = (parent.members ??= {});
  const known = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(known)) known.push(value);
  else if (known !== undefined) members[name] = [known, value];
  else setMember(members, name, isList ? [value] : value);
}

function trimmedTo(shortest: number, text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length < shortest ? text.slice(0, shortest) : trimmed;
}

function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') throw new XmlFault('a name is refused');
  members[name] = value;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function endOf(text: string, terminator: string, from: number): number {
  const end = text.indexOf(terminator, from);
  if (end === -1) throw new XmlFault(`there is no ${terminator}`);
  return end;
}
