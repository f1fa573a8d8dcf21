import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { applicationOf, REAPIT_WALK } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';
import { mayBeSeveral, offersOf } from './offer';
import { severalOffers } from '../../formats/several-offers';

/** Reapit Foundations: a JSON API, read page by page with a token that is valid for one hour. See README.md. */
export const connector = defineConnector({
  code: 'reapit',
  label: 'Reapit Foundations (API)',
  version: 6,
  remap: { since: 6, beside: ['offices', 'negotiators'] },
  type: 'api',
  notes:
    'Source: https://platform.reapit.cloud. One gateway for each customer (agency) that has installed the application; SBOX is the sandbox.',
  quota: {
    host: 'platform.reapit.cloud',
    requestsPerSecond: 20,
    requestsPerDay: 250_000,
    requestsAtOnce: 5,
    account: applicationOf,
  },
  credentials: {
    'client-id': 'Client id of the application, for OAuth client credentials.',
    client_id: 'Another name for `client-id`.',
    'client-secret': 'The secret that belongs to it.',
    client_secret: 'Another name for `client-secret`.',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    customer: 'Id of the customer (agency) whose properties to read; SBOX for the sandbox.',
    offices: 'Ids of the offices to read, separated by commas. Default all.',
    'publier-adresse':
      'Yes to show building, street and exact position. Default no: the API does not say what may be shown.',
    'token-url': 'Address of the authorization server. Default https://connect.reapit.cloud/token.',
    limit: 'Properties per page, 1 to 100. Default 100.',
    'agence-nom': 'Name of the agency where properties name no office.',
    devise: 'Currency of properties that do not name theirs. Default GBP.',
    pays: 'Country of properties that do not name theirs. Default GB.',
  },
  fetch: REAPIT_WALK,
  format: severalOffers(
    jsonRecords({ records: 'properties', envelope: ['totalCount'], declaredCount: 'totalCount', raw: toRaw }),
    { mayBeSeveral, offersOf },
  ),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(record['modified'])),
    withdrawn: withdrawalOf,
  }),
});
