import { cleanText } from './text';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const SPECIAL = /[&<>]/;

/** A text between two tags. */
export function escapeXml(text: string): string {
  const clean = cleanText(text);
  return !SPECIAL.test(clean) ? clean : clean.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '');
}

const IN_ATTRIBUTES: Readonly<Record<string, string>> = { '"': '&quot;', '\n': '&#10;', '\t': '&#9;' };

export type XmlValue = string | number | boolean | undefined;
type Attributes = Readonly<Record<string, XmlValue>>;

/** An element with a text; an empty string if the value is unknown. */
export function element(name: string, value: XmlValue, attributes: Attributes = {}): string {
  if (value === undefined || value === '') return '';
  return `<${name}${attributesOf(attributes)}>${escapeXml(String(value))}</${name}>`;
}

/** An element with elements; an empty string if there are none. */
export function group(name: string, children: readonly string[], attributes: Attributes = {}): string {
  const inside = children.join('');
  return inside === '' ? '' : `<${name}${attributesOf(attributes)}>${inside}</${name}>`;
}

/** An element that says everything in its attributes; an empty string if none of them has a value. */
export function emptyElement(name: string, attributes: Attributes): string {
  const written = attributesOf(attributes);
  return written === '' ? '' : `<${name}${written}/>`;
}

/** Line breaks in attributes are references, because a reader makes spaces of them. */
function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(
      ([name, value]) =>
        ` ${name}="${escapeXml(String(value)).replace(/["\n\t]/g, (one) => IN_ATTRIBUTES[one] ?? '')}"`,
    )
    .join('');
}
