import type { IncomingMessage } from 'node:http';

/** What is wrong with a request whatever it asks for, in words; null for nothing. */
export function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing.';
  if (hasTwoHosts(rawHeaders)) return 'There is more than one Host header.';
  const coding = headers['transfer-encoding'];
  // Nobody can tell where its body ends (RFC 9112, 6.3).
  if (coding === undefined || (coding.trim().toLowerCase() === 'chunked' && httpVersion === '1.1')) return null;
  return 'The only Transfer-Encoding that is understood is "chunked", in HTTP/1.1.';
}

/** Node's parser keeps the first (RFC 9112, 3.2: the server must refuse). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
