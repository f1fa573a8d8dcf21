import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { rawProjection } from '../../kit/raw-projection';
import { textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { RAW_RULES } from './raw-fields';
import { REALFORCE_WALK } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** RealForce: a JSON API, read page by page. Further requests get the labels of its codes. See README.md. */
export const connector = defineConnector({
  code: 'realforce',
  label: 'RealForce (API)',
  version: 8,
  remap: { since: 8, beside: ['labels'] },
  type: 'api',
  notes:
    'Source: https://listings.realforce.ch. One gateway for each website of the CRM: its public key shows what is published there.',
  credentials: {
    'api-key': 'Public key of the website, from "My agency, Websites" in the CRM.',
    api_key: 'Another name for `api-key`.',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    'labels-url': 'Address of the labels. Default https://labels.realforce.ch.',
    choices: 'Numbers of the categories of choices whose labels are read, separated by commas. Default 1 to 20.',
    limit: 'Properties per page, 1 to 100. Default 100.',
    langue: 'Language of texts preferred to French and English, such as "de".',
    'agence-nom': 'Name of the agency: properties have none.',
    devise: 'Currency of properties that do not name theirs. Default CHF.',
    pays: 'Country of properties that do not name theirs. Default CH.',
  },
  fetch: REALFORCE_WALK,
  format: jsonRecords({ records: 'data', envelope: ['count'], declaredCount: 'count', raw: rawProjection(RAW_RULES) }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(record['lastupdate'])),
    withdrawn: withdrawalOf,
  }),
});
