import type { Operation } from './operation';
import { HEADERS, RESPONSES } from './responses';
import { SCHEMAS } from './schemas';
import { syncingGuide } from '../syncing/guide';

const DESCRIPTION = `Normalizes properties from many agency CRM systems and serves them over HTTP and JSON.

A gateway is identified by \`crm\`, \`client\` and an API key. The key is sent in any one of three headers; when several are
there, the first in this order counts: \`Key\`, \`Authorization: Bearer\`, \`X-Listings-Key\`. Keys belong on servers, never in a
browser, and only HTTPS is to be used.

\`HEAD\` works wherever \`GET\` does. Unknown query parameters are ignored; a known one that is given twice is refused. Every error
has the same envelope; a client may send an \`X-Request-Id\` of its own (letters, digits, dots, hyphens and underscores, at most 128).
Answers of 1 KB or more are compressed with gzip for clients that accept it.

The order of checks: the route (404, 405), the parameters (400), the key and the gateway (401, or 429 after too many wrong keys),
whether the gateway is disabled (403), the rate limit (429), the property (404).`;

/** openapi.json. Its parameters and the report's schema are generated from the validation of requests. */
export function openapi(baseUrl: string, operations: readonly Operation[]): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Real-estate listings gateway',
      version: '1.0.0',
      summary: 'Listings of many CRM systems in one format.',
      description: DESCRIPTION,
      contact: { name: 'The operator of this gateway', url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Discovery', description: 'Description of the service; no key needed.' },
      { name: 'Gateway', description: 'One gateway.' },
      { name: 'Properties', description: 'The listings of a gateway.' },
      { name: 'Sync', description: syncingGuide() },
      { name: 'Leads', description: 'Enquiries of visitors, on their way to the agency.' },
      { name: 'Webhooks', description: 'For sites that want to be notified instead of polling.' },
      { name: 'Calls', description: 'For CRMs that send webhooks.' },
      { name: 'Publications', description: 'Adverts at portals.' },
      { name: 'Reports', description: 'Results of imports, sent by consumers.' },
      { name: 'Legacy v0', description: 'The interface of old plugins.' },
      { name: 'Health', description: 'For the operator of the service.' },
    ],
    paths: pathsOf(operations),
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      responses: RESPONSES,
      securitySchemes: {
        Key: { type: 'apiKey', in: 'header', name: 'Key', description: 'The API key of the gateway.' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
        XListingsKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Listings-Key',
          description: 'The API key of the gateway.',
        },
      },
    },
  };
}

/** The operations of a path. `HEAD` answers like `GET`, without the body. */
function pathsOf(operations: readonly Operation[]): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const operation of operations) paths[operation.path] = { ...paths[operation.path], ...pathItem(operation) };
  return paths;
}

function pathItem({ method, openapi }: Operation): object {
  if (method !== 'get') return { [method]: openapi };
  const { operationId, summary, ...rest } = openapi as Operation['openapi'] & { operationId: string; summary: string };
  const responses = Object.fromEntries(
    Object.entries(openapi['responses'] as Record<string, object>).map(([status, response]) => [
      status,
      'content' in response ? { ...response, content: undefined } : response,
    ]),
  );
  const head = { ...rest, operationId: `${operationId}Head`, summary: `${summary} (headers only)`, responses };
  return { get: openapi, head };
}
