import type { FeedPart, Slice } from '../../kit/contracts';
import { toAsciiCompatible } from './encoding';
import { JsonScanner, type JsonSlicing } from './json-scanner';
import { XmlScanner, type XmlSlicing } from './xml-scanner';

/**
 * Cuts a JSON document into the elements of one list, in constant memory. `null` in the list's place is an empty list.
 * Envelope members come where they stand in the document, before or after the records. A document that stops early, or
 * goes on after its end, ends with an `incomplete` slice.
 *
 * @throws BadFeed when the document is empty, is not JSON, or does not have that list.
 */
export function sliceJson(part: FeedPart, slicing: JsonSlicing): AsyncGenerator<Slice, void, undefined> {
  return slicesOf(part, new JsonScanner(slicing));
}

/**
 * Cuts an XML document into records without building it, in constant memory. Record and context bytes start at `<` and
 * end at `>` of their own element. The encoding that the document declares comes first, as the context `#encoding`.
 * A document that stops early, or whose frame is broken, ends with an `incomplete` slice.
 *
 * @throws BadFeed when the document is empty, is not XML, has another root element, or declares entities.
 */
export function sliceXml(part: FeedPart, slicing: XmlSlicing): AsyncGenerator<Slice, void, undefined> {
  return slicesOf(part, new XmlScanner(slicing));
}

/** Scans pushed bytes for slices. */
interface Scanner {
  /** No more slices will come. */
  readonly isOver: boolean;
  push(chunk: Buffer): void;
  /** Undefined when more bytes are needed. */
  next(): Slice | undefined;
  /** Called after the last chunk. */
  finish(): Slice | undefined;
}

async function* slicesOf(part: FeedPart, scanner: Scanner): AsyncGenerator<Slice, void, undefined> {
  for await (const chunk of toAsciiCompatible(part.open())) {
    scanner.push(chunk);
    for (let slice = scanner.next(); slice !== undefined; slice = scanner.next()) yield slice;
    if (scanner.isOver) return;
  }
  const last = scanner.finish();
  if (last !== undefined) yield last;
}
