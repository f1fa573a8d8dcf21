import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ApiModule } from '../../apps/api/src/api.module';
import { openapi } from '../../tools/api-docs/description/openapi';
import { operations } from '../../tools/api-docs/description/operations';

/**
 * Described elsewhere: operators find these routes in docs/operations.md, and reporters of vulnerabilities find
 * security.txt.
 */
const NOT_DESCRIBED = ['GET /docs/{file}', 'GET /metrics', 'GET /.well-known/security.txt'];

function listed<Value>(key: string, of: object): Value[] {
  return [Reflect.getMetadata(key, of) ?? []].flat() as Value[];
}

/** The controllers of a module and of all modules that it imports. */
function controllersOf(module: Type): Type[] {
  return [
    ...listed<Type>(MODULE_METADATA.CONTROLLERS, module),
    ...listed<Type>(MODULE_METADATA.IMPORTS, module).flatMap(controllersOf),
  ];
}

function routesOf(controller: Type<object>): string[] {
  const [prefix = ''] = listed<string>(PATH_METADATA, controller);
  const methods = Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).map(
    ({ value }): unknown => value,
  );
  return methods.flatMap((handler) => {
    if (typeof handler !== 'function') return [];
    const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
    if (typeof method !== 'number') return [];
    return listed<string>(PATH_METADATA, handler).map((path) => {
      const parts = `${prefix}/${path}`.split('/').filter((part) => part !== '');
      return `${RequestMethod[method] ?? ''} /${parts.join('/').replace(/:(\w+)/g, '{$1}')}`;
    });
  });
}

describe('API routes', () => {
  it('match the operations of openapi.json', () => {
    const routes = new Set(controllersOf(ApiModule).flatMap(routesOf));
    const document = openapi('https://listings.example', operations({ crm: 'kyero', client: 'demo' })) as {
      paths: Record<string, object>;
    };
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        // The API answers HEAD like GET.
        .filter((method) => method !== 'head')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...routes].sort()).toEqual([...described, ...NOT_DESCRIBED].sort());
  });
});
