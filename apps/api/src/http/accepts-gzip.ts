import { LRUCache } from 'lru-cache';

/** Clients send the same few headers again and again. */
const known = new LRUCache<string, boolean>({ max: 200 });
/** Longer ones are read each time: nothing that a client sends is kept by its size. */
const MOST_CHARACTERS = 200;
let last = { header: '', accepts: false };

/** Whether an `Accept-Encoding` header lets the answer be gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.length > MOST_CHARACTERS) return parse(header);
  if (header === last.header) return last.accepts;
  let accepts = known.get(header);
  if (accepts === undefined) {
    accepts = parse(header);
    known.set(header, accepts);
  }
  last = { header, accepts };
  return accepts;
}

function parse(header: string): boolean {
  let any = false;
  for (const entry of header.split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const isWanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return isWanted;
    if (coding === '*') any = isWanted;
  }
  return any;
}
