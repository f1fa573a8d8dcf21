import type { FeedPart, Slice } from '../../kit/contracts';
import { toAsciiCompatible } from './encoding';
import { XmlScanner, type XmlSlicing } from './xml-scanner';

export type { XmlSlicing } from './xml-scanner';

/**
 * Cuts an XML document into records without building it, in constant memory. Record and context bytes start at `<` and
 * end at `>` of their own element. The encoding that the document declares comes first, as the context `#encoding`.
 * A document that stops early, or whose frame is broken, ends with an `incomplete` slice.
 *
 * @throws BadFeed when the document is empty, is not XML, has another root element, or declares entities.
 */
export async function* sliceXml(part: FeedPart, slicing: XmlSlicing): AsyncGenerator<Slice, void, undefined> {
  const scanner = new XmlScanner(slicing);
  for await (const chunk of toAsciiCompatible(part.open())) {
    scanner.push(chunk);
    for (let slice = scanner.next(); slice !== undefined; slice = scanner.next()) yield slice;
    if (scanner.isOver) return;
  }
  const last = scanner.finish();
  if (last !== undefined) yield last;
}
