import { STATUS_CODES } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { answerOf } from './ops-error.filter';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** Nest would replace the server's handler with its own. */
class OpsAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.instance;
  }
}

/** The server of the ops port: it only accepts JSON, and every error is `{"error": "…"}`. */
export function createOpsServer(log: Logger): FastifyAdapter {
  const adapter = new OpsAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    // By default Node itself answers a request without a Host header, with an empty body.
    http: { requireHostHeader: false },
    // A URL that cannot be decoded reaches no route.
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = answerOf(error, log);
      void reply.status(status).send(body);
    },
    clientErrorHandler: (error: ConnectionError, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else socket.end(refusalOf(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
    },
  });
  const server = adapter.getInstance();
  server.removeContentTypeParser('text/plain');
  // Errors before routing, such as a body that is not JSON, do not reach Nest's filters.
  server.setErrorHandler((error, _request, reply) => {
    const { status, body } = answerOf(error, log);
    void reply.status(status).send(body);
  });
  // Without this listener Node would answer 417 without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  return adapter;
}

/** When the HTTP parser refuses a request, there is no request object to answer. */
function refusalOf(status: 400 | 431): string {
  const body = JSON.stringify({ error: 'the request is not valid HTTP' });
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${String(body.length)}\r\nconnection: close`;
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${headers}\r\n\r\n${body}`;
}
