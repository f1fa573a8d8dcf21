import type { FastifyInstance } from 'fastify';

/** What an address begins with that a CRM calls. */
const CALLED = '/in/';

/**
 * Lets a call be read as the bytes that it came in, whatever it says that they are: its signature is over them, and a CRM
 * whose label is wrong has called all the same.
 */
export function takeCallsAsBytes(server: FastifyInstance): void {
  server.addHook('onRequest', function takeAsBytes(request, _reply, done) {
    if (isCall(request.url)) request.headers['content-type'] = 'application/json';
    done();
  });
}

/** Whether a request is a call of a CRM. */
export function isCall(url: string): boolean {
  return url.startsWith(CALLED);
}
