import { json } from '../../../tools/simulator/answers';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const SWEEPBRIGHT_CREDENTIALS = { 'client-id': 'demo-channel', 'client-secret': 'demo-secret' } as const;

export interface SimulatedEstate {
  id: string;
  members?: object;
  /** Ids of the photos. */
  photos?: readonly string[];
}

/** The content of the simulated channel of SweepBright. A test may change it at any time. */
export interface SweepbrightState {
  estates: ReadonlyMap<string, SimulatedEstate>;
  /** Returns the photo with the given id. */
  photo(id: string): Buffer;
  /** Whether the photo URL has expired. */
  isDead(path: string): boolean;
}

/**
 * Simulates SweepBright for one channel as published client code of 2026 uses it. The API has no list, and each
 * response has new photo URLs.
 */
export async function simulateSweepbright(state: SweepbrightState): Promise<ApiServer> {
  let answers = 0;
  const api = await startApi((request) => {
    const { pathname } = request.url;
    answers += 1;
    if (pathname === '/oauth/token') {
      if (!knowsChannel(request)) return json(401, { error: 'invalid_client' });
      return json(200, { access_token: 'token', expires_in: 3600, token_type: 'Bearer' });
    }
    if (pathname.startsWith('/images/')) {
      if (state.isDead(`${pathname}${request.url.search}`)) return json(403, { message: 'Request has expired' });
      return {
        status: 200,
        headers: { 'content-type': 'image/jpeg' },
        body: state.photo(pathname.replace(/^\/images\/(.*)\.jpg$/, '$1')),
      };
    }
    if (request.headers.authorization !== 'Bearer token') return json(401, { message: 'Unauthenticated.' });
    const estate = state.estates.get(decodeURIComponent(pathname.replace('/estates/', '')));
    return estate === undefined ? json(404, { message: 'Not found' }) : json(200, estateOf(estate, api.host, answers));
  });
  return api;
}

function knowsChannel({ headers, body }: ApiRequest): boolean {
  const { 'client-id': id, 'client-secret': secret } = SWEEPBRIGHT_CREDENTIALS;
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return headers.authorization === basic && new URLSearchParams(body).get('grant_type') === 'client_credentials';
}

function estateOf({ id, members, photos = [] }: SimulatedEstate, host: string, signature: number): object {
  return {
    ...{ id, is_project: false, project_id: null, type: 'apartment', negotiation: 'sale', status: 'available' },
    ...{ publish_status: 'public', description_title: { fr: `Bien ${id}` }, bedrooms: 2 },
    price: { amount: 250_000, currency: 'EUR', hidden: false },
    location: { city: 'Namur', postal_code: '5000', country: 'BE', hidden: false },
    images: photos.map((photo, index) => ({
      ...{ id: photo, filename: `${photo}.jpg`, ordinal: index + 1 },
      url: `http://${host}/images/${photo}.jpg?signature=${signature}`,
      url_expires_on: '2026-01-01T00:00:00+00:00',
    })),
    ...members,
  };
}
