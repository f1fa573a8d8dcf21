import { slug } from '../access/gateway-parameters';

export interface LegacyQuery {
  variable1: string;
  variable2: string;
}

/** How v0 names a gateway. */
export const LEGACY_PARAMETERS = {
  variable1: slug('Connector code of the gateway.', 'kyero'),
  variable2: slug('Client slug of the gateway.', 'demo'),
};
