import { jsonRecords } from '../../formats/json-records';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { SWEEPBRIGHT_FETCH } from './requests';
import { withdrawalOf } from './display';
import { scopeOf } from './estates';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/**
 * SweepBright: a CRM that calls a webhook for each changed estate; the connector then requests the estate. See
 * README.md.
 */
export const connector = defineConnector({
  code: 'sweepbright',
  label: 'SweepBright (API)',
  type: 'api',
  version: 7,
  remap: { not: 'photos have addresses that end, and their files are not in the record' },
  notes:
    'Source: https://website.sweepbright.com/api. One gateway for each channel; SweepBright calls the address of "ops call-address open".',
  credentials: {
    'client-id': 'Client id of the channel, for OAuth client credentials.',
    'client-secret': 'The secret that belongs to it.',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    langue: 'Language of titles and texts preferred to French and English, such as "nl".',
    'api-version': 'Date of the API version, as 20231129. Default 20231129.',
    'agence-nom': 'Name of the agency where estates name no office.',
    devise: 'Currency of estates that do not name theirs. Default EUR.',
    pays: 'Country of estates that do not name theirs. Default BE.',
  },
  fetch: SWEEPBRIGHT_FETCH,
  copiesPhotos: true,
  format: jsonRecords({ records: 'estates', raw: toRaw }),
  map: toListing(MAPPING, { scope: scopeOf, withdrawn: withdrawalOf }),
});
