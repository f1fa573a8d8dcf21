import type { FeedDocument, Slice } from '../../kit/contracts';
import { toAsciiCompatible } from './encoding';
import { JsonScanner, type JsonSlicing } from './json-scanner';
import { flatten } from './flatten';
import { XmlScanner, type XmlSlicing } from './xml-scanner';

/**
 * Cuts a JSON document into the elements of one list, in constant memory; `null` counts as an empty list. A truncated
 * document, or one with content after its end, ends with an `incomplete` slice.
 * @throws BadFeed when the document is empty, is not JSON, or does not have that list.
 */
export function sliceJson(document: FeedDocument, slicing: JsonSlicing): AsyncIterable<Slice> {
  return slicesOf(document, new JsonScanner(slicing));
}

/**
 * Cuts an XML document into records in constant memory. Its declared encoding comes first, as the context `#encoding`.
 * A document that stops early, or whose frame is broken, ends with an `incomplete` slice.
 * @throws BadFeed when the document is empty, is not XML, has another root element, or declares entities.
 */
export function sliceXml(document: FeedDocument, slicing: XmlSlicing): AsyncIterable<Slice> {
  return slicesOf(document, new XmlScanner(slicing, document.recognize));
}

interface Scanner {
  /** Whether no more slices will come. */
  readonly isOver: boolean;
  push(chunk: Buffer): void;
  /** Undefined when more bytes are needed. */
  next(): Slice | undefined;
  finish(): Slice | undefined;
}

function slicesOf(document: FeedDocument, scanner: Scanner): AsyncIterable<Slice> {
  return flatten(slicesByChunk(document, scanner));
}

async function* slicesByChunk(
  document: FeedDocument,
  scanner: Scanner,
): AsyncGenerator<Iterable<Slice>, void, undefined> {
  for await (const chunk of toAsciiCompatible(document.open())) {
    scanner.push(chunk);
    yield slicesInSight(scanner);
    if (scanner.isOver) return;
  }
  const last = scanner.finish();
  if (last !== undefined) yield [last];
}

function* slicesInSight(scanner: Scanner): Generator<Slice, void, undefined> {
  for (let slice = scanner.next(); slice !== undefined; slice = scanner.next()) yield slice;
}
