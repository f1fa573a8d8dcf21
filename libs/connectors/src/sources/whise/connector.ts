import { jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { CLIENT_TOKEN_NAMES, PASSWORD_NAMES, USER_NAMES, WHISE_WALK } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** Whise: a JSON API, read page by page with the token of one client. See README.md. */
export const connector = defineConnector({
  code: 'whise',
  label: 'Whise (API)',
  type: 'api',
  version: 12,
  remap: { since: 12 },
  notes: 'Source: https://api.whise.eu. One gateway for each client (agency) that the marketplace account may read.',
  credentials: {
    ...named('Name of the marketplace account.', USER_NAMES),
    ...named('Password that belongs to it.', PASSWORD_NAMES),
    ...named('Token of a client, instead of the name and password of an account. It expires.', CLIENT_TOKEN_NAMES),
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    client: 'Number of the client (agency) whose estates to read; needed with a marketplace account.',
    office: 'Number of one office of the client. Default all.',
    statuses: 'Numbers of the statuses to request, separated by commas. Default 1, active.',
    langue: 'Language of names and texts preferred to French and English, such as "nl".',
    limit: 'Estates per page, 1 to 100. Default 100.',
    'agence-nom': 'Name of the agency where estates do not say it.',
    devise: 'Currency of estates that do not name theirs. Default EUR.',
    pays: 'Country of estates that do not name theirs. Default BE.',
  },
  fetch: WHISE_WALK,
  format: jsonRecords({ records: 'estates', envelope: ['totalCount'], declaredCount: 'totalCount', raw: toRaw }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(record['updateDateTime'])),
    withdrawn: withdrawalOf,
  }),
});

function named(sentence: string, [name = '', ...others]: readonly string[]): Record<string, string> {
  return Object.fromEntries([
    [name, sentence],
    ...others.map((other) => [other, `Another name for \`${name}\`.`]),
  ]) as Record<string, string>;
}
