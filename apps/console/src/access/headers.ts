import type { FastifyInstance } from 'fastify';

/** Allows only the console's own script, and no frame. Photos of held listings come from any address. */
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

/** The headers of every answer: limits for the browser, and no caching. */
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
