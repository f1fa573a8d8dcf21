import { jsonRecords } from '../../formats/json-records';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { momentOf, revisionOf } from './dates';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { customerOf, HOST, OMNICASA_WALK } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** Omnicasa: a JSON API that takes the whole request in one parameter. See README.md. */
export const connector = defineConnector({
  code: 'omnicasa',
  label: 'Omnicasa (API)',
  version: 6,
  remap: { since: 6 },
  type: 'api',
  notes: `Source: https://${HOST}. One gateway for each customer. Between two full reads it requests changes only.`,
  quota: { host: HOST, requestsPerSecond: 2, requestsPerDay: 10_000, account: customerOf },
  credentials: {
    customer: 'Name of the customer (CustomerName).',
    user: 'Another name for `customer`.',
    username: 'Another name for `customer`.',
    password: 'Password that belongs to it (CustomerPassword).',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    version: 'Version of the API. Default 1.12.',
    office: 'Number of one office of the customer. Default all.',
    langue: 'Language of texts: "fr", "nl", "en", "de" or "es". Default fr.',
    limit: 'Properties per page, 1 to 100. Default 50.',
    'publier-adresse':
      'Yes to show street, number and exact position. Default no: the API does not say what may be shown.',
    'agence-nom': 'Name of the agency, instead of those of its offices.',
    devise: 'Currency of all amounts. Default EUR.',
    pays: 'Country of properties that do not name theirs. Default BE.',
  },
  fetch: OMNICASA_WALK,
  format: jsonRecords({ records: 'Items', envelope: ['RowsCount'], declaredCount: 'RowsCount', raw: toRaw }),
  map: toListing(MAPPING, {
    revision: (record) => revisionOf(momentOf(record['LastChangedDate'])),
    withdrawn: withdrawalOf,
  }),
});
