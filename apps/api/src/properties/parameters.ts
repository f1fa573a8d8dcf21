import type { ListingFormat } from '@passerelle/database';
import { GATEWAY_PARAMETERS, type GatewayName } from '../access/gateway-parameters';
import type { Parameter } from '../http/parameters';

export interface PageQuery extends GatewayName {
  page: number;
  per_page: number;
  format: ListingFormat;
}

export const PAGE_PARAMETERS = {
  ...GATEWAY_PARAMETERS,
  page: {
    description: 'Page number, from 1. A page past the end is empty.',
    allowed: 'a plain integer of at least 1',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
    example: 1,
  },
  per_page: {
    description: 'Properties on a page.',
    allowed: 'a plain integer from 1 to 200',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    example: 50,
  },
  format: {
    description: '`normalized`: the generic schema. `raw`: the historic model, as the CRM delivered the record.',
    allowed: '"normalized" or "raw"',
    required: false,
    schema: { type: 'string', enum: ['normalized', 'raw'], default: 'normalized' },
    example: 'normalized',
  },
} satisfies Record<keyof PageQuery, Parameter>;

export const ID_PARAMETER = {
  description:
    'An `affId`, else an `affNum`, percent-encoded once (`/` as `%2F`). Of several properties with that `affNum`, the first in ' +
    "the feed's order is returned.",
  schema: { type: 'string', minLength: 1 },
  example: 'DEMO-0001',
} as const;
