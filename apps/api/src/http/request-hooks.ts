import type { FastifyInstance } from 'fastify';
import type { ApiConfig } from '../config';
import type { Answers } from '../metrics/answers';
import { toEncoded } from './encoded-answer';
import { standardHeaders } from './response-headers';

export interface RequestHooks {
  config: Pick<ApiConfig, 'requireHttps'>;
  answers: Answers;
}

/** Adds what happens to every request that the server has not refused, before Nest gets it. */
export function addRequestHooks(server: FastifyInstance, { config, answers }: RequestHooks): void {
  const headers = Object.entries(standardHeaders(config));
  server.addHook('onRequest', function beginAnswer(request, reply, done) {
    answers.watch(request, reply);
    for (const [name, value] of headers) reply.header(name, value);
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onSend', toEncoded);
}
