import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A client's own correlation identifier, safe in a header, in JSON and in a log line. */
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** A random prefix per process, followed by a number per request, costs less than a random identifier per request. */
const PROCESS_ID = randomBytes(9).toString('base64url');
let requests = 0;

export function toRequestId(inbound: string | string[] | undefined): string {
  if (typeof inbound === 'string' && WELL_FORMED.test(inbound)) return inbound;
  requests += 1;
  return `${PROCESS_ID}.${requests}`;
}

/** Why a request is invalid on any route, in words; null if it is valid. */
export function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing.';
  if (hasTwoHosts(rawHeaders)) return 'There is more than one Host header.';
  const coding = headers['transfer-encoding'];
  // The end of the request's body cannot be determined (RFC 9112, 6.3).
  if (coding === undefined || (coding.trim().toLowerCase() === 'chunked' && httpVersion === '1.1')) return null;
  return 'The only supported Transfer-Encoding is "chunked", in HTTP/1.1.';
}

/** Node's parser keeps only the first Host header, but a server must refuse a second (RFC 9112, 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
