import { randomUUID } from 'node:crypto';

/** What a client may send as its own correlation identifier; safe in a header, in JSON and in a log line as it is. */
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The identifier of a request: the client's own when it is well-formed, else a new one. */
export function toRequestId(inbound: string | string[] | undefined): string {
  return typeof inbound === 'string' && WELL_FORMED.test(inbound) ? inbound : randomUUID();
}
