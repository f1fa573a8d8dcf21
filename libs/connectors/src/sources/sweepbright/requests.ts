import { AccessRefused, isUrl, trimEndOf } from '@passerelle/domain';
import { bearerFor } from '../../kit/client-credentials';
import type { PushedFetch, SourceConfig } from '../../kit/contracts';
import { credential } from '../../kit/http-access';
import { estatesOf } from './estates';

const DEFAULT_BASE_URL = 'https://website.sweepbright.com/api';
const DEFAULT_API_VERSION = '20231129';
const WEEK_SECONDS = 7 * 24 * 3600;

/** There is no list: webhooks name estates. A webhook is not signed, so its secret address is the only proof. */
export const SWEEPBRIGHT_FETCH: PushedFetch = {
  kind: 'pushed',
  webhook: { proof: { kind: 'path' }, event: 'event', about: ['estate-'], ids: ['estate_id'] },
  compareEverySeconds: WEEK_SECONDS,
  whenRefused: 'is the channel active, and are client-id and client-secret right?',
  async prepare(source, client) {
    const base = baseOf(source);
    const [id, secret] = [credential(source, ['client-id']), credential(source, ['client-secret'])];
    if (id === undefined || secret === undefined)
      throw new AccessRefused('the credentials `client-id` and `client-secret` are missing, or one of them');
    const parameters = { client_id: id, client_secret: secret };
    const bearer = await bearerFor(client, { url: `${base}/oauth/token`, id, secret, parameters });
    const version = source.settings['api-version']?.replace(/\D/g, '') ?? DEFAULT_API_VERSION;
    return { base, headers: { ...bearer, accept: `application/vnd.sweepbright.v${version}+json` }, feed: {} };
  },
  record: (id, { base, headers }) => ({ url: `${base}/estates/${encodeURIComponent(id)}`, headers }),
  document: estatesOf,
};

function baseOf({ url }: SourceConfig): string {
  const address = url.trim() === '' ? DEFAULT_BASE_URL : url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const { origin, pathname } = new URL(address);
  return `${origin}${trimEndOf(pathname, '/')}`;
}
