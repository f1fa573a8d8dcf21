import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** The server has handlers of its own for what goes wrong outside a controller; Nest's would take the errors' codes away. */
class QuietAdapter extends FastifyAdapter {
  override setErrorHandler(): FastifyInstance {
    return this.instance;
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.instance;
  }
}

/**
 * Nest over our own server, less two things that it would do for every request and that nothing here uses: looking for
 * middleware, and a hook at the end of each answer. The latter alone makes a page from memory an eighth dearer.
 */
export function nestAdapter(instance: FastifyInstance): FastifyAdapter {
  const quiet = Object.assign(instance, { skipMiddie: true });
  const addHook = instance.addHook.bind(instance) as (...hook: unknown[]) => FastifyInstance;
  quiet.addHook = (...hook: unknown[]) => (hook[0] === 'onResponse' ? quiet : addHook(...hook));
  const adapter = new QuietAdapter(quiet);
  quiet.addHook = addHook;
  return adapter;
}
