import { XMLParser, XMLValidator } from 'fast-xml-parser';

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false, parseAttributeValue: false },
  trimValues: false,
});

/** Parses an XML document with a parser of another hand. @throws when it is not well-formed, or has another root */
export function readXml(document: Buffer | string, root: string): Record<string, unknown> {
  const text = document.toString('utf8');
  const problem = XMLValidator.validate(text);
  if (problem !== true) throw new Error(`not well-formed: ${problem.err.msg} at line ${problem.err.line}`);
  // XML forbids these characters, and the validator lets them pass.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text))
    throw new Error('a forbidden character');
  const parsed = parser.parse(text) as Record<string, unknown>;
  const found = parsed[root];
  if (typeof found !== 'object' || found === null) throw new Error(`no element ${root}`);
  return found as Record<string, unknown>;
}

/** The texts of one child of each record. */
export function idsInXml(document: Buffer, root: string, record: string, id: string): string[] {
  return listOf(readXml(document, root)[record]).map((one) => String((one as Record<string, unknown>)[id]));
}

export function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
