import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Clients send the same few headers again and again. */
const known = new LRUCache<string, boolean>({ max: 200 });
/** Longer ones are read each time: nothing that a client sends is kept by its size. */
const MOST_CHARACTERS = 200;
let last = { header: '', accepts: false };

/** Whether an `Accept-Encoding` header lets the answer be gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.length > MOST_CHARACTERS) return read(header);
  if (header === last.header) return last.accepts;
  let accepts = known.get(header);
  if (accepts === undefined) {
    accepts = read(header);
    known.set(header, accepts);
  }
  last = { header, accepts };
  return accepts;
}

function read(header: string): boolean {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } });
  return accepted.encodings(['gzip']).length > 0 || accepted.encodings().includes('x-gzip');
}
