import { API_ERRORS, CONNECTOR_TYPES } from '@passerelle/domain';
import { REPORT_REQUEST } from '../../../apps/api/src/report/report-request';
import { closed, integer, type JsonSchema, nullable, string, toJsonSchema } from './json-schema';
import { LEAD_SCHEMAS } from './lead-schemas';
import { PROPERTY_SCHEMAS } from './property-schema';
import { SEARCH_SCHEMAS } from './search-operations';
import { SYNC_SCHEMAS } from './sync-schemas';
import { PUBLICATION_SCHEMAS } from './publication-schemas';
import { WEBHOOK_SCHEMAS } from './webhook-schemas';

/** The body of a success. */
export function success(description: string, members: Record<string, JsonSchema>): JsonSchema {
  return closed(description, {
    status: { type: 'string', const: 'success', description: 'The request succeeded.' },
    ...members,
    request_id: { $ref: '#/components/schemas/RequestId' },
  });
}

export const SCHEMAS: Record<string, JsonSchema> = {
  ...PROPERTY_SCHEMAS,
  ...SYNC_SCHEMAS,
  ...LEAD_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  ...PUBLICATION_SCHEMAS,
  ...SEARCH_SCHEMAS,
  RequestId: string('Correlation identifier; the same as in the header X-Request-Id.'),
  Connector: closed('The reader of one CRM’s feed.', {
    id: string('Connector code.'),
    label: string('Display name.'),
    type: { type: 'string', enum: CONNECTOR_TYPES, description: 'The kind of feed.' },
    notes: string('Free text.'),
  }),
  StatusData: closed('Status of a gateway.', {
    crm: string('Connector code.'),
    client: string('Client slug.'),
    active: { type: 'boolean', description: 'False when the gateway is disabled.' },
    contract_end: nullable('string', 'Last day of the contract, YYYY-MM-DD, until midnight in Europe/Paris.'),
    cms_url: nullable('string', "Address of the consumer's site, from the newest report that named one."),
    last_update_status: nullable('string', 'Status of the last reported import.'),
    last_update_count: nullable('integer', 'Count of the last reported import.'),
    last_update_message: nullable('string', 'Message of the last reported import.'),
    last_update_timestamp: nullable('string', 'Time of the last reported import, ISO 8601 in UTC.'),
    connector: { $ref: '#/components/schemas/Connector' },
  }),
  PageMeta: closed('The position of the page in the result.', {
    page: { ...integer('Number of this page.'), minimum: 1 },
    per_page: { ...integer('Properties on a page.'), minimum: 1, maximum: 200 },
    total: integer('All properties.'),
    total_pages: integer('0 when there is no property.'),
    crm: string('Connector code.'),
    client: string('Client slug.'),
  }),
  ReportRequest: {
    type: 'object',
    description: 'The result of an import. Members that are not listed are ignored.',
    ...toJsonSchema(REPORT_REQUEST, 'input'),
  },
  ReportConfirmation: closed('The report as it was saved.', {
    saved: { type: 'boolean', const: true },
    crm: string('Connector code.'),
    client: string('Client slug.'),
    status: { type: 'string', enum: ['success', 'error'], description: 'As reported.' },
    count: nullable('integer', 'As reported.'),
    message: nullable('string', 'As reported.'),
    cms_url: nullable(
      'string',
      'The site that the report came from: site_url, else cms_url, else from the User-Agent.',
    ),
    received_at: string('ISO 8601 in UTC.'),
  }),
  Discovery: closed('The service and its calls.', {
    name: string('Name of the service.'),
    version: string('Version of this interface.'),
    endpoints: {
      type: 'array',
      description: 'The calls that consumers make.',
      items: closed('One endpoint.', {
        method: string('HTTP method.'),
        path: string('Path from the base address.'),
        auth: { type: 'boolean', description: 'Whether it needs an API key.' },
        purpose: string('Its purpose.'),
      }),
    },
    documentation: closed('Where the documentation is.', {
      openapi: string('Address of the machine-readable description.'),
      docs: string('Address of the page for people.'),
    }),
  }),
  Error: {
    type: 'object',
    description: 'The body of every error.',
    properties: {
      status: { type: 'string', const: 'error', description: 'The request failed.' },
      code: { type: 'string', enum: Object.keys(API_ERRORS), description: 'For machines: what is wrong.' },
      message: string('For people.'),
      timestamp: { type: 'string', format: 'date-time', description: 'ISO 8601.' },
      request_id: { $ref: '#/components/schemas/RequestId' },
      detail: {
        type: 'object',
        description: 'For machines; for a refused parameter its name and what is allowed.',
        additionalProperties: true,
      },
    },
    required: ['status', 'code', 'message', 'timestamp', 'request_id'],
    additionalProperties: false,
  },
};
