import { randomBytes } from 'node:crypto';

/** A client's own correlation identifier, safe as it is in a header, in JSON and in a log line. */
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** Differs in every process, and the number after it in every request: cheaper than a random identifier each time. */
const PROCESS_ID = randomBytes(9).toString('base64url');
let requests = 0;

/** The identifier of a request: the client's own when it is well-formed, else a new one. */
export function toRequestId(inbound: string | string[] | undefined): string {
  if (typeof inbound === 'string' && WELL_FORMED.test(inbound)) return inbound;
  requests += 1;
  return `${PROCESS_ID}.${requests}`;
}
