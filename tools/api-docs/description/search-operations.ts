import type { Parameter } from '../../../apps/api/src/http/parameters';
import { SEARCH_PARAMETERS } from '../../../apps/api/src/search/parameters';
import { closed, integer, type JsonSchema, string } from './json-schema';
import type { Operation } from './operation';
import { PROPERTY_SCHEMAS } from './property-schema';
import { errors, fromSnapshot, IF_NONE_MATCH, KEY_IN_HEADER, WITH_KEY } from './responses';

type Json = Readonly<Record<string, unknown>>;

interface Shown {
  crm: string;
  client: string;
  property: Json;
  inQuery: (declared: Readonly<Record<string, Parameter>>) => Json[];
  /** The body of a success. */
  success: (description: string, members: Record<string, JsonSchema>) => JsonSchema;
}

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const PIN_FIELDS = [
  ...['affId', 'latitude', 'longitude', 'prix', 'prixCurrency', 'loyer', 'loyerSource', 'typeTransaction', 'typeCode'],
];

export const SEARCH_SCHEMAS: Record<string, JsonSchema> = {
  PropertyFields: {
    type: 'object',
    description: 'A property with `affId` and the requested fields.',
    required: ['affId'],
    additionalProperties: true,
  },
  FacetCount: closed('A value, and how often it occurs in the whole result.', {
    value: { type: ['string', 'number', 'boolean'], description: 'As the properties have it.' },
    count: { ...integer('How many of them have it.'), minimum: 1 },
  }),
  Pin: {
    ...closed('A property in short, for a map.', pinMembers()),
    required: ['affId', 'latitude', 'longitude'],
  },
};

function pinMembers(): Record<string, JsonSchema> {
  const members = PROPERTY_SCHEMAS['Property']?.properties ?? {};
  return Object.fromEntries(PIN_FIELDS.map((field) => [field, members[field] ?? string(field)]));
}

export function searchOperation({ crm, client, property, inQuery, success }: Shown): Operation {
  const { affId, prix, typeCode, typeTransaction } = property;
  const body = success('A page of the properties that were found.', {
    data: {
      type: 'array',
      description: 'The properties: `Property`, with `format=raw` `RawProperty`, with `fields` `PropertyFields`.',
      items: { anyOf: [ref('Property'), ref('RawProperty'), ref('PropertyFields')] },
    },
    facets: {
      type: 'object',
      description: 'For each field that `facets` names, its values, the most frequent first. Only with `facets`.',
      additionalProperties: { type: 'array', items: ref('FacetCount') },
    },
    pins: {
      type: 'array',
      description: 'All properties of the result that have a position, from all pages. Only with `pins=true`.',
      items: ref('Pin'),
    },
    meta: ref('PageMeta'),
  });
  return {
    method: 'get',
    path: '/v1/search',
    listed: { purpose: 'search in the list' },
    openapi: {
      operationId: 'searchProperties',
      tags: ['Properties'],
      summary: 'Search properties',
      description:
        'A page of the properties of one snapshot that match every filter. A property without a field does not match a ' +
        'filter on that field. `meta.total` counts the properties that were found, `X-Snapshot-Total` the whole list; ' +
        '`Link` leads to the other pages of the same result. At most 100 parameters.',
      parameters: [...inQuery(SEARCH_PARAMETERS), IF_NONE_MATCH],
      security: KEY_IN_HEADER,
      responses: {
        ...fromSnapshot(
          { ...body, required: (body.required ?? []).filter((member) => member !== 'facets' && member !== 'pins') },
          {
            data: [property],
            facets: { typeCode: [{ value: typeCode, count: 1 }] },
            pins: [{ affId, latitude: 45.76, longitude: 4.83, prix, prixCurrency: 'EUR', typeTransaction, typeCode }],
            meta: { page: 1, per_page: 50, total: 1, total_pages: 1, crm, client },
          },
          { hasLink: true },
        ),
        ...errors(...WITH_KEY),
      },
    },
  };
}
