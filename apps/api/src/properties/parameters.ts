import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GATEWAY_PARAMETERS } from '../access/gateway-parameters';
import {
  type Parameter,
  parameterReader,
  plainInteger,
  refusedParameter,
  sentParameter,
  splitEncoded,
  type ValuesOf,
} from '../http/parameters';
import type { Requester, Reader, PageRequest } from './pagination-sessions';

export const SNAPSHOT_PARAMETER = {
  description:
    'Token of the snapshot to read (`X-Snapshot` of an earlier answer), even if a newer one was published since. Without it ' +
    'the current one is read, and the pages of one walk come from the snapshot of its first page.',
  allowed: 'the token of a snapshot',
  schema: z.string().optional(),
  example: 'Zk3qTx1bQm2o8vYc5Rn7Lw',
} satisfies Parameter;

export const PAGE_PARAMETERS = {
  ...GATEWAY_PARAMETERS,
  page: {
    description: 'Page number, from 1. A page past the end is empty.',
    allowed: 'a plain integer of at least 1',
    schema: plainInteger({ min: 1 }).default(1),
    example: 1,
  },
  per_page: {
    description: 'Properties on a page.',
    allowed: 'a plain integer from 1 to 200',
    schema: plainInteger({ min: 1, max: 200 }).default(50),
    example: 50,
  },
  format: {
    description: '`normalized`: the generic schema. `raw`: the historic model, as the CRM delivered the record.',
    allowed: '"normalized" or "raw"',
    schema: z.enum(['normalized', 'raw']).default('normalized'),
    example: 'normalized',
  },
  snapshot: SNAPSHOT_PARAMETER,
  ids: {
    description:
      'Only the properties that have these `affId`s: 1 to 200, each percent-encoded, separated by commas. Those that are ' +
      'not in the snapshot are absent. Not together with `page` or `per_page`.',
    allowed: 'a list of 1 to 200 percent-encoded affIds separated by commas',
    schema: z
      .string()
      .transform(splitEncoded)
      .pipe(z.array(z.string().min(1)).min(1).max(200))
      .optional(),
    example: ['DEMO-0001', 'DEMO-0002'],
  },
} satisfies Record<string, Parameter>;

export type PageQuery = ValuesOf<typeof PAGE_PARAMETERS>;

const readDeclared = parameterReader(PAGE_PARAMETERS);

/** @throws ApiError BAD_REQUEST */
export function readPageQuery({ query, url }: Pick<FastifyRequest, 'query' | 'url'>): PageQuery {
  const parameters = query as Record<string, unknown>;
  if (typeof parameters['ids'] !== 'string') return readDeclared(query);
  for (const name of ['page', 'per_page']) {
    if (parameters[name] !== undefined) {
      throw refusedParameter(name, 'absent', `The query parameter "${name}" does not go with "ids"`);
    }
  }
  return readDeclared({ ...parameters, ids: sentParameter(url, 'ids') });
}

export function pageRequest({ page, per_page }: PageQuery, reader: () => Reader): PageRequest {
  return { reader, page, perPage: per_page };
}

export function readerOf({ crm, client, format, per_page }: PageQuery, requester: Requester): Reader {
  return { crm, client, ...requester, format, perPage: per_page };
}

export const PROPERTY_PARAMETERS = { ...GATEWAY_PARAMETERS, snapshot: SNAPSHOT_PARAMETER };

export type PropertyQuery = ValuesOf<typeof PROPERTY_PARAMETERS>;

export const readPropertyQuery = parameterReader(PROPERTY_PARAMETERS);

export const ID_PARAMETER = {
  description:
    'An `affId`, else an `affNum`, percent-encoded once (`/` as `%2F`). When several properties have that `affNum`, the first in ' +
    "the feed's order is returned.",
  schema: { type: 'string', minLength: 1 },
  example: 'DEMO-0001',
} as const;
