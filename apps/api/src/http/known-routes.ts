import { ApiError } from '@passerelle/domain';
import type { FastifyInstance } from 'fastify';
import { NO_PATH } from './error-envelope';

/** Knows all routes, to distinguish an unknown path (404) from a known path with another method (405). */
export class KnownRoutes {
  private readonly routes: { path: RegExp; methods: Set<string> }[] = [];

  /** @param hidden a route that is revealed only to authorized clients */
  constructor(private readonly hidden: string) {}

  /** Records every route that is declared on the instance from now on. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ url, method }) => {
      if (url === this.hidden) return;
      const path = new RegExp(`^${url.replace(/[.*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
      const known = this.routes.find((route) => route.path.source === path.source);
      const methods = known?.methods ?? new Set();
      for (const one of [method].flat()) methods.add(one);
      if (known === undefined) this.routes.push({ path, methods });
    });
  }

  refusal(method: string, url: string): ApiError {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    if (!isDecodable(path)) return new ApiError('BAD_REQUEST', NO_PATH);
    const methods = this.routes.find((route) => route.path.test(path))?.methods;
    if (methods === undefined || methods.has(method)) {
      return new ApiError('NOT_FOUND', 'There is no such endpoint.');
    }
    const allow = [...methods].sort().join(', ');
    return new ApiError(
      'METHOD_NOT_ALLOWED',
      `This endpoint does not support ${method}; it supports ${allow}.`,
      { method, allowed: [...methods].sort() },
      { allow },
    );
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
