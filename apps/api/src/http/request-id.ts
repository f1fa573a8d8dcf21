import { randomBytes } from 'node:crypto';

/** What a client may send as its own correlation identifier; safe in a header, in JSON and in a log line as it is. */
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** Differs in every process; the number behind it differs in every request. Cheaper than a random one each time. */
const PROCESS_ID = randomBytes(9).toString('base64url');
let requests = 0;

/** The identifier of a request: the client's own when it is well-formed, else a new one. */
export function toRequestId(inbound: string | string[] | undefined): string {
  if (typeof inbound === 'string' && WELL_FORMED.test(inbound)) return inbound;
  requests += 1;
  return `${PROCESS_ID}.${requests}`;
}
