import { SLUG_PATTERN } from '@passerelle/domain';
import type { Parameter } from '../http/parameters';

export interface GatewayName {
  crm: string;
  client: string;
}

const ALLOWED = 'made of letters, digits, hyphens and underscores';

/** How every v1 read names its gateway. */
export const GATEWAY_PARAMETERS = {
  crm: slug('Connector code of the gateway.', 'kyero'),
  client: slug('Client slug of the gateway.', 'demo'),
} satisfies Record<keyof GatewayName, Parameter>;

export function slug(description: string, example: string): Parameter {
  return {
    description,
    allowed: ALLOWED,
    required: true,
    schema: { type: 'string', pattern: SLUG_PATTERN.source },
    example,
  };
}
