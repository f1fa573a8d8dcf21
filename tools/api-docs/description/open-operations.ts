import { PHOTO_NAME_PARAMETER, PHOTO_PARAMETERS } from '../../../apps/api/src/media/photo-request';
import type { Parameter } from '../../../apps/api/src/http/parameters';
import type { ApiErrorCode } from '@passerelle/domain';
import { closed, integer, type JsonSchema } from './json-schema';
import type { Operation } from './operation';
import { document, errors, ok, photo } from './responses';
import { success } from './schemas';

const PUBLIC: ApiErrorCode[] = ['BAD_REQUEST', 'INTERNAL_ERROR'];
const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** @param connector an example */
export function discoveryOperations(connector: object): Operation[] {
  return [
    {
      method: 'get',
      path: '/v1',
      listed: { purpose: 'discovery' },
      openapi: {
        operationId: 'discover',
        tags: ['Discovery'],
        summary: 'Discovery',
        description: 'Lists the endpoints and where the documentation is.',
        security: [],
        responses: {
          '200': ok(success('Discovery.', { data: ref('Discovery') }), {
            data: {
              name: 'Real-estate listings gateway',
              version: '1.0.0',
              endpoints: [{ method: 'GET', path: '/v1', auth: false, purpose: 'discovery' }],
              documentation: { openapi: 'https://api.example/openapi.json', docs: 'https://api.example/docs' },
            },
          }),
          ...errors(...PUBLIC),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/connectors',
      listed: { purpose: 'list connectors' },
      openapi: {
        operationId: 'listConnectors',
        tags: ['Discovery'],
        summary: 'List connectors',
        description: 'Lists the connectors in the order of their codes.',
        security: [],
        responses: {
          '200': ok(
            success('Connectors.', {
              data: { type: 'array', description: 'The connectors, by their codes.', items: ref('Connector') },
              count: integer('How many connectors there are.'),
            }),
            { data: [connector], count: 1 },
          ),
          ...errors(...PUBLIC),
        },
      },
    },
  ];
}

export function openOperations(
  inQuery: (declared: Readonly<Record<string, Parameter>>) => Readonly<Record<string, unknown>>[],
): Operation[] {
  return [
    {
      method: 'get',
      path: '/media/{name}',
      openapi: {
        operationId: 'getPhoto',
        tags: ['Properties'],
        summary: 'One photo, floor plan or document',
        description:
          'A photo, floor plan or document that the agency sent as a file. A picture comes without its camera data, a PDF as it is. No key is needed: a reader who knows the address has ' +
          'seen the file, or a listing that names it. The file at an address never changes. `Range` requests one part; ' +
          'for a part that does not exist the whole file is sent.',
        parameters: [
          { name: 'name', in: 'path', required: true, ...PHOTO_NAME_PARAMETER },
          ...inQuery(PHOTO_PARAMETERS),
        ],
        security: [],
        responses: { ...photo(), ...errors('BAD_REQUEST', 'NOT_FOUND', 'INTERNAL_ERROR') },
      },
    },
    {
      method: 'get',
      path: '/openapi.json',
      openapi: {
        operationId: 'getDescription',
        tags: ['Discovery'],
        summary: 'This description',
        description: 'The machine-readable description of the API.',
        security: [],
        responses: { '200': document('application/json', { type: 'object' }), ...errors(...PUBLIC) },
      },
    },
    {
      method: 'get',
      path: '/docs',
      openapi: {
        operationId: 'getDocs',
        tags: ['Discovery'],
        summary: 'Documentation',
        description: 'The documentation page for people, where each call can be tried.',
        security: [],
        responses: { '200': document('text/html', { type: 'string' }), ...errors(...PUBLIC) },
      },
    },
    ...(['live', 'ready'] as const).map((kind): Operation => ({
      method: 'get',
      path: `/health/${kind}`,
      openapi: {
        operationId: `health${kind === 'live' ? 'Live' : 'Ready'}`,
        tags: ['Health'],
        summary: kind === 'live' ? 'Is the process alive' : 'Can the process serve',
        description: 'For the operator of the service.',
        security: [],
        responses: {
          '200': ok(
            success('Healthy.', {
              data: healthOf(kind),
            }),
            { data: { [kind]: true } },
          ),
          ...errors(...PUBLIC),
        },
      },
    })),
  ];
}

function healthOf(kind: 'live' | 'ready'): JsonSchema {
  const health = closed('The state of the process.', { [kind]: { type: 'boolean', description: 'Always true.' } });
  if (kind === 'live') return health;
  const database: JsonSchema = {
    type: 'string',
    const: 'read-only',
    description: 'Present while PostgreSQL accepts no writes: lists are served, reports are refused.',
  };
  return { ...health, properties: { ...health.properties, database } };
}
