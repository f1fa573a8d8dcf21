import type { IncomingMessage } from 'node:http';
import { json, NOT_FOUND } from './answers';
import { apimoAgencies, apimoProperties } from './feeds/apimo';
import type { Answer } from './misbehaviour';
import type { PhotoUrls, Property } from './property';
import { APIMO_CREDENTIALS } from './sources';
import { AGENCIES } from './invented-world';

/** The real API refuses a larger limit. */
const APIMO_MAX_LIMIT = 1_000;

export interface ApimoState {
  properties: readonly Property[];
  /** How many more records the API reports than it has. */
  miscountedBy: number;
  photoUrls: PhotoUrls;
}

export function answerApimo(request: IncomingMessage, url: URL, state: ApimoState): Answer {
  const { provider, token } = APIMO_CREDENTIALS;
  const expected = `Basic ${Buffer.from(`${provider}:${token}`).toString('base64')}`;
  if (request.headers.authorization !== expected) return json(401, { message: 'Invalid credentials' });
  if (url.pathname === '/apimo/agencies') return json(200, apimoAgencies());
  const agency = /^\/apimo\/agencies\/(\d+)\/properties$/.exec(url.pathname)?.[1];
  if (agency === undefined) return NOT_FOUND;
  if (Number(agency) !== AGENCIES.apimo.id) return json(403, { message: 'Access denied to this agency' });
  const limit = Number(url.searchParams.get('limit') ?? APIMO_MAX_LIMIT);
  const offset = Number(url.searchParams.get('offset') ?? 0);
  if (!(limit >= 1 && limit <= APIMO_MAX_LIMIT && offset >= 0)) {
    return json(422, { message: 'Validation failed', errors: { limit: [`max ${APIMO_MAX_LIMIT}`] } });
  }
  const { properties, miscountedBy, photoUrls } = state;
  const page = properties.slice(offset, offset + limit);
  return json(200, apimoProperties(page, properties.length + miscountedBy, photoUrls));
}
