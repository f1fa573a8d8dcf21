import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { withdrawalOf } from './display';
import { MAPPING, toYearFirst } from './mapping';
import { toRaw } from './raw-fields';
import { ENVELOPE } from './key-order';
import { CLIENT_ID_NAMES, CLIENT_SECRET_NAMES, RESO_WALK, TOKEN_NAMES, TOKEN_URL_NAMES } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';
import { mayBeSeveral, offersOf } from './offer';
import { severalOffers } from '../../formats/several-offers';

/** RESO Web API: OData in JSON, read by following the next links. See README.md. */
export const connector = defineConnector({
  code: 'reso',
  label: 'RESO Web API (OData)',
  type: 'api',
  version: 15,
  remap: { since: 15 },
  notes:
    'Source: the root of the service, its Property resource, or a whole query: https://api.example/odata/Property?$filter=….',
  credentials: {
    ...named('A bearer token that does not expire.', TOKEN_NAMES),
    ...named('Client id for OAuth2 client credentials; needs `token-url`.', CLIENT_ID_NAMES),
    ...named('Client secret that belongs to it.', CLIENT_SECRET_NAMES),
    ...named('Address of the token endpoint, if it is kept with the credentials.', TOKEN_URL_NAMES),
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    ...named('Address of the OAuth2 token endpoint, for `client-id` and `client-secret`.', TOKEN_URL_NAMES),
    scope: 'OAuth2 scope to request, if the provider needs one ("api").',
    filter:
      'OData $filter, as "OriginatingSystemName eq \'demo\'". Never filter by date: listings that the filter excludes would be withdrawn.',
    select: 'OData $select. Default all fields.',
    expand: 'OData $expand, "non" for servers that refuse it. Default Media, which holds the photos.',
    top: 'OData $top, records per page, "non" for servers that refuse it. Default 200.',
    count: '"non" for servers that refuse $count=true.',
    'stable-pages':
      '"oui" when added and removed listings do not shift the pages that the server links to. Default: only for …/replication.',
    ...named('StandardStatus of the listings to show. Default Active, ComingSoon, ActiveUnderContract, Pending.', [
      'statuses',
      'statuts',
    ]),
    ...named('Currency of prices without a currency, outside the United States and Canada.', ['currency', 'devise']),
    pays: 'Country of listings that do not name theirs, as "US".',
    'agence-nom': 'Name of the agency where ListOfficeName is empty.',
  },
  fetch: RESO_WALK,
  format: severalOffers(
    jsonRecords({ records: 'value', envelope: ENVELOPE, declaredCount: '@odata.count', raw: toRaw }),
    { mayBeSeveral, offersOf },
  ),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(toYearFirst(record['ModificationTimestamp'])),
    withdrawn: withdrawalOf,
  }),
});

/** The first name is the documented name. The others are common spellings of it. */
function named(sentence: string, [name = '', ...others]: readonly string[]): Record<string, string> {
  return Object.fromEntries([
    [name, sentence],
    ...others.map((other) => [other, `Another name for \`${name}\`.`]),
  ]) as Record<string, string>;
}
