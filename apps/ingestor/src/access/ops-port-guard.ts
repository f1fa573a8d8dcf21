import { isIP } from 'node:net';
import { Networks } from '@passerelle/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IngestorConfig } from '../config';
import { INVALID_TOKENS_PER_MINUTE, type InvalidTokenLimiter } from './invalid-token-limiter';
import { refusalOf } from './ops-token';

export interface OpsPortGuardOptions {
  config: Pick<IngestorConfig, 'opsToken' | 'opsHosts' | 'metricsOpenTo'>;
  guesses: InvalidTokenLimiter;
}

const OPEN_ROUTES = ['/health/live', '/health/ready'];
const METRICS = '/metrics';
/** These routes refuse HTTP Basic, because a browser would send its password along with a request from another site's page. */
const BEARER_ONLY = ['/ingest'];

/** Decides before a body is read. Every route, also a later one, requires the token, except the health routes. */
export function guardOpsPort(server: FastifyInstance, { config, guesses }: OpsPortGuardOptions): void {
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
      void refuse(reply, 429, `too many wrong tokens: at most ${String(INVALID_TOKENS_PER_MINUTE)} a minute`);
      return;
    }
    if (refusal.challenge !== null) reply.header('www-authenticate', refusal.challenge);
    void refuse(reply, refusal.status, refusal.error);
  });
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  // The rest of the body is not read.
  return reply.status(status).header('connection', 'close').send({ error });
}

/**
 * Prevents DNS rebinding: a page of another site can make its own name resolve to an internal address. This attack
 * cannot use an address, `localhost` or a name without a dot, because the public DNS has none of these.
 * @param names further accepted names, in lower case
 */
export function isKnownHost(host: string | undefined, names: readonly string[]): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  if (name === '') return false;
  return isIP(name) === 4 || !name.includes('.') || name.endsWith('.localhost') || names.includes(name);
}
