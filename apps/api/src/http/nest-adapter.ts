import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Nest over our own server, less two things that it would do for every request and that nothing here uses: looking for
 * middleware, and a hook at the end of each answer. The latter alone makes a page from memory an eighth dearer.
 */
export function nestAdapter(instance: FastifyInstance): FastifyAdapter {
  const quiet = Object.assign(instance, { skipMiddie: true });
  const addHook = instance.addHook.bind(instance) as (...hook: unknown[]) => FastifyInstance;
  quiet.addHook = (...hook: unknown[]) => (hook[0] === 'onResponse' ? quiet : addHook(...hook));
  // The adapter's types come from its own copy of Fastify.
  const adapter = new FastifyAdapter(quiet as never);
  quiet.addHook = addHook;
  return adapter;
}
