import type { FeedPart, Slice } from '../../kit/contracts';
import { toAsciiCompatible } from './encoding';
import { JsonScanner, type JsonSlicing } from './json-scanner';

export type { JsonSlicing } from './json-scanner';

/**
 * Cuts a JSON document into the elements of one list, in constant memory. `null` in the list's place is an empty list.
 * Envelope members come where they stand in the document, before or after the records. A document that stops early, or
 * goes on after its end, ends with an `incomplete` slice.
 *
 * @throws BadFeed when the document is empty, is not JSON, or does not have that list.
 */
export async function* sliceJson(part: FeedPart, slicing: JsonSlicing): AsyncGenerator<Slice, void, undefined> {
  const scanner = new JsonScanner(slicing);
  for await (const chunk of toAsciiCompatible(part.open())) {
    scanner.push(chunk);
    for (let slice = scanner.next(); slice !== undefined; slice = scanner.next()) yield slice;
    if (scanner.isOver) return;
  }
  const last = scanner.finish();
  if (last !== undefined) yield last;
}
