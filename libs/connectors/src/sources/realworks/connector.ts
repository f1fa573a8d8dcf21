import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { REALWORKS_WALK } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';
import { mayBeSeveral, offersOf } from './offer';
import { severalOffers } from '../../formats/several-offers';

/** Realworks: a JSON API of dwellings, read by following its links. See README.md. */
export const connector = defineConnector({
  code: 'realworks',
  version: 8,
  remap: { since: 8 },
  label: 'Realworks (API)',
  type: 'api',
  notes:
    'Source: https://api.realworks.nl. One gateway for each token, which belongs to one office and to the addresses that it was given for.',
  credentials: { token: 'Token of the API, with or without `rwauth` in front.' },
  settings: {
    ...KEEP_SOLD_SETTING,
    'publier-adresse':
      'Yes to show street, number and the letters of the postcode. Default no: the API does not say what may be shown.',
    limit: 'Objects per page, 1 to 100. Default 100.',
    langue: 'Language of texts preferred to English, such as "nl".',
    'agence-nom': 'Name of the agency: objects have its number only.',
    devise: 'Currency of all amounts. Default EUR.',
    pays: 'Country of objects that do not name theirs. Default NL.',
  },
  fetch: REALWORKS_WALK,
  format: severalOffers(
    jsonRecords({
      records: 'resultaten',
      envelope: ['paginering'],
      declaredCount: 'paginering.totaalAantal',
      raw: toRaw,
    }),
    { mayBeSeveral, offersOf },
  ),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(record['tijdstipLaatsteWijziging'])),
    withdrawn: withdrawalOf,
  }),
});
