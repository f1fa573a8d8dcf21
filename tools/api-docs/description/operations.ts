import type { ApiErrorCode } from '@passerelle/domain';
import { GATEWAY_PARAMETERS, LEGACY_PARAMETERS } from '../../../apps/api/src/access/gateway-parameters';
import { type JsonSchema, toJsonSchema } from './json-schema';
import type { Parameter } from '../../../apps/api/src/http/parameters';
import { PHOTO_NAME_PARAMETER, PHOTO_PARAMETERS } from '../../../apps/api/src/media/parameters';
import { ID_PARAMETER, PAGE_PARAMETERS, PROPERTY_PARAMETERS } from '../../../apps/api/src/properties/parameters';
import { EXPORT_PARAMETERS } from '../../../apps/api/src/export/parameters';
import type { Operation } from './operation';
import { PROPERTY_EXAMPLE } from './property-schema';
import {
  document,
  documentFromSnapshot,
  errors,
  fromSnapshot,
  IF_NONE_MATCH,
  KEY_IN_HEADER,
  ok,
  photo,
  WITH_KEY,
} from './responses';
import { closed, integer } from './schema-parts';
import { success } from './schemas';
import { syncOperations } from './sync-operations';

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const PUBLIC: ApiErrorCode[] = ['BAD_REQUEST', 'INTERNAL_ERROR'];
/** The empty alternative stands for a key in the body. */
const KEY_ANYWHERE = [...KEY_IN_HEADER, {}];

/** Every call of the API, in the order of openapi.json, with examples that name the demo gateway. */
export function operations(demo: { crm: string; client: string }): Operation[] {
  const inQuery = (declared: Readonly<Record<string, Parameter>>): Json[] =>
    Object.entries(declared).map(([name, { description, schema, example }]) => ({
      name,
      in: 'query',
      description,
      required: !schema.safeParse(undefined).success,
      schema: toJsonSchema(schema),
      ...(Array.isArray(example) && { style: 'form', explode: false }),
      example: { crm: demo.crm, variable1: demo.crm, client: demo.client, variable2: demo.client }[name] ?? example,
    }));
  const connector = { id: demo.crm, label: 'Kyero', type: 'xml', notes: '' };
  const property = { ...PROPERTY_EXAMPLE, passerelleName: demo.crm };
  const { crm, client } = demo;
  const report = {
    crm,
    client,
    status: 'success',
    count: 240,
    message: 'Import finished.',
    site_url: 'https://agence.example',
  };

  const reportOperation = (operationId: string, summary: string, tag: string): Operation['openapi'] => ({
    operationId,
    tags: [tag],
    summary,
    description:
      'Tells how an import ended. The key comes in a header, else in the body as `key`, else as `api_key`. Without `site_url` ' +
      'and `cms_url` the site is taken from a User-Agent of the form `Product/1.2; https://site`.',
    security: KEY_ANYWHERE,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('ReportRequest'), example: report } },
    },
    responses: {
      '200': ok(
        success('The report was saved.', { data: ref('ReportConfirmation') }),
        {
          data: {
            saved: true,
            crm,
            client,
            status: 'success',
            count: 240,
            message: 'Import finished.',
            cms_url: 'https://agence.example',
            received_at: '2025-11-21T09:30:00.000Z',
          },
        },
        { description: 'The report was saved.' },
      ),
      ...errors(...WITH_KEY),
    },
  });

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
    {
      method: 'get',
      path: '/v1/status',
      listed: { purpose: 'gateway status' },
      openapi: {
        operationId: 'getStatus',
        tags: ['Gateway'],
        summary: 'Gateway status',
        description: 'What is known of the gateway, and what its consumer last reported.',
        parameters: inQuery(GATEWAY_PARAMETERS),
        security: KEY_IN_HEADER,
        responses: {
          '200': ok(success('Status.', { data: ref('StatusData') }), {
            data: {
              crm,
              client,
              active: true,
              contract_end: null,
              cms_url: 'https://agence.example',
              last_update_status: 'success',
              last_update_count: 240,
              last_update_message: null,
              last_update_timestamp: '2025-11-21T09:30:00.000Z',
              connector,
            },
          }),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/properties',
      listed: { purpose: 'paginated property list' },
      openapi: {
        operationId: 'listProperties',
        tags: ['Properties'],
        summary: 'List properties',
        description: "One page of the gateway's properties, in the feed's order. A page past the end is empty.",
        parameters: [...inQuery(PAGE_PARAMETERS), IF_NONE_MATCH],
        security: KEY_IN_HEADER,
        responses: {
          ...fromSnapshot(
            success('A page of properties.', {
              data: {
                type: 'array',
                description: 'The properties: `Property`, or with `format=raw` `RawProperty`.',
                items: { anyOf: [ref('Property'), ref('RawProperty')] },
              },
              meta: ref('PageMeta'),
            }),
            { data: [property], meta: { page: 1, per_page: 50, total: 1, total_pages: 1, crm, client } },
            { hasLink: true },
          ),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/properties/{id}',
      listed: { purpose: 'one property' },
      openapi: {
        operationId: 'getProperty',
        tags: ['Properties'],
        summary: 'One property',
        description: 'One property in the normalized model, by `affId`, else by `affNum`.',
        parameters: [
          { name: 'id', in: 'path', required: true, ...ID_PARAMETER },
          ...inQuery(PROPERTY_PARAMETERS),
          IF_NONE_MATCH,
        ],
        security: KEY_IN_HEADER,
        responses: {
          ...fromSnapshot(success('A property.', { data: ref('Property') }), { data: property }),
          ...errors(...WITH_KEY, 'NOT_FOUND'),
        },
      },
    },
    ...syncOperations({ crm, client, property, inQuery }),
    {
      method: 'post',
      path: '/v1/report',
      listed: { purpose: 'report an import result' },
      openapi: reportOperation('reportImport', 'Report an import result', 'Reports'),
    },
    {
      method: 'get',
      path: '/',
      listed: { purpose: 'legacy v0 full dump', query: '?variable1={crm}&variable2={client}' },
      openapi: {
        operationId: 'dumpV0',
        tags: ['Legacy v0'],
        summary: 'Full dump (v0)',
        description:
          'All properties of the gateway in the historic model, in one array: the pages with `format=raw`, laid end to end. ' +
          'Compressed with gzip when the client accepts it.',
        parameters: [...inQuery(LEGACY_PARAMETERS), IF_NONE_MATCH],
        security: KEY_IN_HEADER,
        responses: {
          ...fromSnapshot({ type: 'array', items: ref('RawProperty') }, [
            { affId: 'DEMO-0001', affNum: 'REF-0001', passerelleName: crm },
          ]),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'post',
      path: '/report',
      listed: { purpose: 'legacy v0 report' },
      openapi: reportOperation('reportImportV0', 'Report an import result (v0)', 'Legacy v0'),
    },
    {
      method: 'get',
      path: '/v1/export/kyero.xml',
      listed: { purpose: 'the whole list as a Kyero feed', query: '?token={token}' },
      openapi: {
        operationId: 'exportKyero',
        tags: ['Properties'],
        summary: 'Export as a Kyero feed',
        description:
          'The whole list in version 3 of the format of Kyero, for importers that take nothing but an address. The token in it ' +
          'is made by the operator, opens this export of one gateway only, and can be revoked by itself. Compressed with gzip ' +
          'when the client accepts it.',
        parameters: [...inQuery(EXPORT_PARAMETERS), IF_NONE_MATCH],
        security: [],
        responses: { ...documentFromSnapshot('application/xml', { type: 'string' }), ...errors(...WITH_KEY) },
      },
    },
    {
      method: 'get',
      path: '/media/{name}',
      openapi: {
        operationId: 'getPhoto',
        tags: ['Properties'],
        summary: 'One photo',
        description:
          'A photo that the agency sent as a file, without its camera data. No key is needed: whoever knows the address has ' +
          'seen the photo, or a listing that names it. What an address shows never changes. One part can be asked for ' +
          '(`Range`); of one that is not there the whole is sent.',
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
        description: 'The documentation for people, on which each call can be tried.',
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
        description: 'For whoever runs the service.',
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
  const health = closed('How the process fares.', { [kind]: { type: 'boolean', description: 'Always true.' } });
  if (kind === 'live') return health;
  const database: JsonSchema = {
    type: 'string',
    enum: ['read-only'],
    description: 'Present while PostgreSQL takes no writes: lists are served, reports are refused.',
  };
  return { ...health, properties: { ...health.properties, database } };
}
