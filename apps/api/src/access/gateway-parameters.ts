import { SLUG_PATTERN } from '@passerelle/domain';
import { z } from 'zod';
import { type Parameter, parameterReader, type ValuesOf } from '../http/parameters';

export const GATEWAY_PARAMETERS = {
  crm: slug('Connector code of the gateway.', 'kyero'),
  client: slug('Client slug of the gateway.', 'demo'),
};

export type GatewayName = ValuesOf<typeof GATEWAY_PARAMETERS>;

export const readGatewayName = parameterReader(GATEWAY_PARAMETERS);

/** How v0 names it. */
export const LEGACY_PARAMETERS = {
  variable1: slug('Connector code of the gateway.', 'kyero'),
  variable2: slug('Client slug of the gateway.', 'demo'),
};

export const readLegacyName = parameterReader(LEGACY_PARAMETERS);

function slug(description: string, example: string) {
  return {
    description,
    allowed: 'made of letters, digits, hyphens and underscores',
    schema: z.string().regex(SLUG_PATTERN),
    example,
  } satisfies Parameter;
}
