import { isIP } from 'node:net';
import { Networks } from '@passerelle/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IngestorConfig } from '../config';
import { GUESSES_PER_MINUTE, type GuessedTokens } from './guessed-tokens';
import { refusalOf } from './ops-token';

export interface OpsDoor {
  config: Pick<IngestorConfig, 'opsToken' | 'opsHosts' | 'metricsOpenTo'>;
  guesses: GuessedTokens;
}

/** What asks for no token. */
const OPEN_ROUTES = ['/health/live', '/health/ready'];
const METRICS = '/metrics';
/** Takes no password of HTTP Basic, which a browser would send along with the request of another site's page. */
const BEARER_ONLY = ['/ingest'];

/**
 * Decides ahead of everything else, and before a body is read, whether a request to the ops port goes on. Every route but
 * those of health asks for the token, also one that is added later; a path without a route is not found.
 */
export function guardOpsPort(server: FastifyInstance, { config, guesses }: OpsDoor): void {
  const scrapers = new Networks(config.metricsOpenTo);
  const isOpen = ({ is404, routeOptions: { url = '' }, socket }: FastifyRequest): boolean =>
    is404 || OPEN_ROUTES.includes(url) || (url === METRICS && scrapers.has(socket.remoteAddress));

  server.addHook('onRequest', function openOrRefuse(request, reply, done) {
    reply.header('x-content-type-options', 'nosniff');
    if (!isKnownHost(request.headers.host, config.opsHosts)) {
      void refuse(reply, 403, 'the Host header names none of the hosts of the ops port: see OPS_HOSTS');
      return;
    }
    const isForBrowsers = !BEARER_ONLY.includes(request.routeOptions.url ?? '');
    const { authorization } = request.headers;
    const refusal = isOpen(request) ? null : refusalOf(authorization, { opsToken: config.opsToken, isForBrowsers });
    if (refusal === null) {
      done();
      return;
    }
    const retrySeconds = refusal.isGuess ? guesses.note(request.socket.remoteAddress) : null;
    if (retrySeconds !== null) {
      reply.header('retry-after', String(retrySeconds));
      void refuse(reply, 429, `too many wrong tokens: at most ${String(GUESSES_PER_MINUTE)} a minute`);
      return;
    }
    if (refusal.challenge !== null) reply.header('www-authenticate', refusal.challenge);
    void refuse(reply, refusal.status, refusal.error);
  });
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  // What is left of its body is not read.
  return reply.status(status).header('connection', 'close').send({ error });
}

/**
 * Whether a `Host` header can be that of the ops port.
 *
 * A page of another site can have its own name lead to an address inside (DNS rebinding), and a browser then sends that name.
 * It cannot do so with an address, with `localhost` or with a name without a dot, which the public DNS does not have.
 *
 * @param names further ones, in lower case
 */
export function isKnownHost(host: string | undefined, names: readonly string[]): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  if (name === '') return false;
  return isIP(name) === 4 || !name.includes('.') || name.endsWith('.localhost') || names.includes(name);
}
