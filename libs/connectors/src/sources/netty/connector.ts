import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { KEY_NAMES, NETTY_WALK } from './walk';

/** Netty: a JSON API with a key, read page by page. See README.md. */
export const connector = defineConnector({
  code: 'netty',
  label: 'Netty (API)',
  type: 'api',
  version: 7,
  remap: { since: 7 },
  notes: 'Source: https://webapi.netty.fr/apiv1, or its products, https://webapi.netty.fr/apiv1/products?filters=….',
  credentials: {
    'api-key': 'The key of the API, sent as x-netty-api-key.',
    ...Object.fromEntries(KEY_NAMES.slice(1).map((name) => [name, 'Another name for `api-key`.'])),
  },
  settings: {
    states: 'Numbers of the states to show, separated by commas. Default 1, on the market.',
    'offres-location': 'Numbers of product_offer_type that are rentals, as "2": only 1, a sale, is documented.',
    filters:
      'Filters of the API, as "linked_company_id:equal:7". Never filter by date: listings that the filter excludes are withdrawn.',
    limit: 'Products per page, 1 to 100. Default 100.',
    'publier-adresse': '"oui" shows street and point: the API does not say whether they may be shown. Default non.',
    'agence-nom': 'Name of the agency: products do not say it.',
    devise: 'Currency of all prices. Default EUR.',
    pays: 'Country of all products. Default FR.',
  },
  fetch: NETTY_WALK,
  // Descriptions of the API disagree whether `count` is the size of the list or of the page. The walk handles both.
  format: jsonRecords({ records: 'data', envelope: ['count'], raw: toRaw }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(record['time_modified'])),
    withdrawn: withdrawalOf,
  }),
});
