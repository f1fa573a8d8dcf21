import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Nest over our own server.
 *
 * Nest adds hooks to the instance that its adapter is constructed with, for CORS, versions and middleware, none of which
 * exist here. One of them, at the end of each answer, makes a page from memory 6 % slower, and so the server takes the
 * place of that instance (docs/decisions/0010-the-fast-lane.md).
 */
export class ApiAdapter extends FastifyAdapter {
  constructor(server: FastifyInstance) {
    super({ skipMiddie: true });
    this.setInstance(server);
  }

  // The server has handlers of its own for what goes wrong outside a controller: Nest's would lose the errors' codes.

  override setErrorHandler(): FastifyInstance {
    return this.instance;
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.instance;
  }
}
