import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { PROPSTACK_FETCH } from './requests';
import { toRaw } from './raw-fields';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** Propstack: a JSON API with a webhook for each change, and a list of all properties. See README.md. */
export const connector = defineConnector({
  code: 'propstack',
  label: 'Propstack (API)',
  type: 'api',
  version: 5,
  remap: { since: 5 },
  notes:
    'Source: https://api.propstack.de/v1. Propstack calls the address of "ops call-address open"; put its secret into the settings of the webhook.',
  credentials: { 'api-key': 'Key of the API, with the right to read properties.' },
  settings: {
    ...KEEP_SOLD_SETTING,
    statuts:
      'Names or numbers of the statuses that are shown, separated by commas. Default those of marketing and of reservation.',
    limit: 'Properties per page, 1 to 500. Default 100.',
    'agence-nom': 'Name of the agency.',
    devise: 'Currency of properties that do not name theirs. Default EUR.',
    pays: 'Country of properties that do not name theirs. Default DE.',
  },
  fetch: PROPSTACK_FETCH,
  format: jsonRecords({ records: 'data', envelope: ['meta'], declaredCount: 'meta.total_count', raw: toRaw }),
  map: toListing(MAPPING, {
    scope: (record) => textOf(record['id']),
    revision: (record) => toRevision(textOf(record['updated_at'])),
    withdrawn: withdrawalOf,
  }),
});
