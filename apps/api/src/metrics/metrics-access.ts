import { isOpsToken } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config';

/** For everyone but the operators there is no such path. */
export const METRICS_PATH = '/metrics';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Whether a request carries the operators' token. Without a token nobody does; it takes the same time then, and whatever
 * the request carries.
 */
export function isOperator({ headers }: FastifyRequest, { opsToken }: Pick<ApiConfig, 'opsToken'>): boolean {
  const presented = BEARER.exec(headers.authorization ?? '')?.[1];
  return isOpsToken(presented ?? '', opsToken ?? 'none') && presented !== undefined && opsToken !== null;
}
