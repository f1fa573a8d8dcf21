import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { compilePath, textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { ONOFFICE_LEAD } from './lead';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { ONOFFICE_WALK } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';

const changedAt = compilePath('elements.geaendert_am');

/** onOffice enterprise: a JSON API with signed requests for one list and three other answers. See README.md. */
export const connector = defineConnector({
  code: 'onoffice',
  version: 5,
  remap: { since: 5, beside: ['labels'] },
  label: 'onOffice (API)',
  type: 'api',
  notes:
    'Source: https://api.onoffice.de. One gateway for each client of onOffice enterprise; its API user may read estates, their files and, for the names of agents, addresses.',
  credentials: {
    token: 'The token of the API user: 32 characters.',
    'api-token': 'Another name for `token`.',
    secret: 'The secret that belongs to it: 64 characters. It signs each request and is never sent.',
    'api-secret': 'Another name for `secret`.',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    filter: 'Number of a filter that is set up in onOffice: only its estates are read.',
    'langue-principale': 'Language of the client itself, as "de". Default de.',
    langues: 'Further languages of its estates, as "en, fr": each costs one more request per page.',
    langue: 'Language of titles and descriptions preferred to French and English, such as "de".',
    limit: 'Estates per page, 1 to 500. Default 500.',
    'agence-nom': 'Name of the agency where the contact person names no firm.',
    devise: 'Currency of estates that do not name theirs. Default EUR.',
    pays: 'Country of estates that do not name theirs. Default DE.',
  },
  fetch: ONOFFICE_WALK,
  lead: ONOFFICE_LEAD,
  format: jsonRecords({ records: 'estates', envelope: ['total'], declaredCount: 'total', raw: toRaw }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(changedAt(record))),
    withdrawn: withdrawalOf,
  }),
});
