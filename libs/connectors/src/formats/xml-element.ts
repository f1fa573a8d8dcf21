import { XMLParser } from 'fast-xml-parser';

/** An element as an object: children by local name, attributes as `@name`, its own text as `#text`. All values are text. */
export type XmlRecord = Readonly<Record<string, unknown>>;

/** A record of one megabyte may hold a hundred thousand `&amp;`: they are not an attack, as no entity can be declared. */
const MOST_ENTITIES = 1_000_000;

/**
 * A parser of single elements. Text stays text (`01000` is a postcode, `1e5` a reference), namespace prefixes are
 * dropped, a DOCTYPE is refused, and of entities only the five of XML and numeric ones are decoded.
 *
 * @param isList whether an element may be repeated, by the path from the record, as `images.image`.
 */
export function xmlElementParser(isList: (path: string) => boolean): (text: string) => XmlRecord | undefined {
  const parser = new XMLParser({
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    trimValues: true,
    removeNSPrefix: true,
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: MOST_ENTITIES, maxExpandedLength: 64 * 1024 * 1024 },
    isArray: (_name, path) => isList(withoutRoot(path)),
  });
  return (text) => {
    if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY')) return undefined;
    const parsed = parser.parse(text) as Readonly<Record<string, unknown>>;
    return asElement(Object.values(parsed).at(-1));
  };
}

function withoutRoot(path: unknown): string {
  const text = String(path);
  return text.slice(text.indexOf('.') + 1);
}

function asElement(value: unknown): XmlRecord | undefined {
  const element: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof element === 'string') return element === '' ? {} : { '#text': element };
  return typeof element === 'object' && element !== null ? (element as XmlRecord) : undefined;
}
