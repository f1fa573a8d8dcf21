import type { FastifyInstance } from 'fastify';

/** No script but the one of the console, and no frame. Photos of held listings come from wherever the CRMs have them. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What every answer says: what a browser may do with it, and that it keeps no copy. */
export function addHeaders(server: FastifyInstance, { isSecure }: { isSecure: boolean }): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
    });
    done();
  });
}
