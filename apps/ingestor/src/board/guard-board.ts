import { isUrl } from '@passerelle/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const HEADERS = {
  // The board's page would load a font from another host, which would then know of every operator who opens it.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Refuses every request below the board's path that a page of another site has sent. */
export function guardBoard(board: FastifyInstance): void {
  board.addHook('onRequest', async (request, reply) => {
    if (comesFromAnotherSite(request)) {
      return reply.status(403).send({ error: 'the board takes orders from its own page only' });
    }
    reply.headers(HEADERS);
  });
}

/** A browser that has stored the password sends it with every request to us, also with those of other sites' pages. */
function comesFromAnotherSite({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // Browsers send this header over TLS and on localhost only.
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && (!isUrl(origin) || new URL(origin).host !== host);
}
