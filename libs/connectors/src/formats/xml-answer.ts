import { BadFeed } from '@passerelle/domain';
import { XMLValidator } from 'fast-xml-parser';
import { decodeText } from '../engine/cut/encoding';
import { listPaths } from './list-paths';
import { parseXmlElement, type XmlRecord } from './xml-element';

const PROLOG = /^\s*(?:<\?xml([^>]*)\?>)?\s*(?:<!--[^]*?-->\s*)*/;
const ENCODING = /encoding\s*=\s*["']([\w-]+)["']/;

/**
 * Returns the root element as ASCII text, so that the document may have any encoding. @throws BadFeed for a wrong root
 * or an incomplete document.
 */
export function rootElementOf(document: Buffer, root: string): string {
  const declaration = PROLOG.exec(document.toString('latin1', 0, 2_000))?.[1] ?? '';
  const declared = ENCODING.exec(declaration)?.[1];
  const text = decodeText(document, declared).text.replace(PROLOG, '').trim();
  const isRoot = text.startsWith(`<${root}`) && /^[\s/>]/.test(text.slice(root.length + 1));
  if (!isRoot) throw new BadFeed(`the answer is no XML document of <${root}>`);
  if (XMLValidator.validate(text) !== true) throw new BadFeed(`the XML document of <${root}> is cut or broken`);
  return text.replace(/[^\0-\x7f]/gu, (letter) => `&#${letter.codePointAt(0) ?? 0x20};`);
}

/** Parses the root element of an answer. @param lists paths of elements that may be repeated @throws BadFeed */
export function parseXmlAnswer(document: Buffer, root: string, lists: readonly string[] = []): XmlRecord {
  return parseXmlElement(rootElementOf(document, root), listPaths(lists));
}
