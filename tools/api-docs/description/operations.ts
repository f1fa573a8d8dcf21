import { GATEWAY_PARAMETERS, LEGACY_PARAMETERS } from '../../../apps/api/src/access/gateway-parameters';
import { toJsonSchema } from './json-schema';
import type { Parameter } from '../../../apps/api/src/http/parameters';
import { ID_PARAMETER, PAGE_PARAMETERS, PROPERTY_PARAMETERS } from '../../../apps/api/src/properties/parameters';
import { EXPORT_PARAMETERS } from '../../../apps/api/src/export/parameters';
import type { Operation } from './operation';
import { discoveryOperations, openOperations } from './open-operations';
import { PROPERTY_EXAMPLE } from './property-schema';
import { documentFromSnapshot, errors, fromSnapshot, IF_NONE_MATCH, KEY_IN_HEADER, ok, WITH_KEY } from './responses';
import { success } from './schemas';
import { leadOperation } from './lead-operations';
import { searchOperation } from './search-operations';
import { syncOperations } from './sync-operations';
import { inboundWebhookOperations } from './inbound-webhook-operations';
import { publicationOperations } from './publication-operations';
import { webhookOperations } from './webhook-operations';

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** The empty alternative allows a key in the body. */
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
      'Reports how an import ended. The key comes in a header, else in the body as `key`, else as `api_key`. Without `site_url` ' +
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
    ...discoveryOperations(connector),
    {
      method: 'get',
      path: '/v1/status',
      listed: { purpose: 'gateway status' },
      openapi: {
        operationId: 'getStatus',
        tags: ['Gateway'],
        summary: 'Gateway status',
        description: 'The state of the gateway, and the last report of its consumer.',
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
    searchOperation({ crm, client, property, inQuery, success }),
    ...syncOperations({ crm, client, property, inQuery }),
    leadOperation({ crm, client }),
    ...publicationOperations({ crm, client, inQuery }),
    ...webhookOperations({ crm, client, inQuery }),
    ...inboundWebhookOperations(),
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
          'All properties of the gateway in the historic model, in one array: the same properties as on all pages with `format=raw`. ' +
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
          'The whole list in version 3 of the format of Kyero, for importers that accept only an address. The operator ' +
          'makes the token in it; the token opens only this export of one gateway, and can be revoked separately. ' +
          'Compressed with gzip when the client accepts it.',
        parameters: [...inQuery(EXPORT_PARAMETERS), IF_NONE_MATCH],
        security: [],
        responses: { ...documentFromSnapshot('application/xml', { type: 'string' }), ...errors(...WITH_KEY) },
      },
    },
    ...openOperations(inQuery),
  ];
}
