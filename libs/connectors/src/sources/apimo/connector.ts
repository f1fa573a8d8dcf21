import { type JsonRecord, jsonRecords } from '../../formats/json-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { APIMO_LEAD } from './lead';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { APIMO_WALK, providerOf } from './walk';
import type { RecordContext } from '../../kit/contracts';
import { SHOWN_STATUSES, SHOWN_STEPS, SOLD_STATUSES, WITHDRAWN_STATUSES, WITHDRAWN_STEPS } from './lookups';
import { KEEP_SOLD_SETTING, keepsSold } from '../../kit/status';

/** Returns why a property must be hidden, or undefined if it may be shown. An unknown number does not hide it. */
function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const reason = reasonOf(record, 'status', WITHDRAWN_STATUSES, SHOWN_STATUSES, context);
  // A property that is sold or let is also closed.
  const isKept =
    keepsSold(context) && SOLD_STATUSES.has(textOf(record['status']) ?? '') && textOf(record['step']) === '3';
  return reason ?? (isKept ? undefined : reasonOf(record, 'step', WITHDRAWN_STEPS, SHOWN_STEPS, context));
}

function reasonOf(
  record: JsonRecord,
  field: string,
  withdrawn: Readonly<Record<string, string>>,
  shown: ReadonlySet<string>,
  context: RecordContext,
): string | undefined {
  const word = textOf(record[field]);
  if (word === undefined || shown.has(word)) return undefined;
  const reason = withdrawn[word];
  if (field === 'status' && SOLD_STATUSES.has(word) && keepsSold(context)) return undefined;
  if (reason === undefined) context.warn('unknown_word', field, word.slice(0, 120));
  return reason;
}

/** Apimo: a JSON API, read page by page for each agency. See README.md. */
export const connector = defineConnector({
  code: 'apimo',
  label: 'Apimo (API)',
  type: 'api',
  version: 15,
  remap: { since: 15, beside: ['agencies'] },
  notes:
    'Source: https://api.apimo.pro, or the address of one agency’s properties, …/agencies/ID/properties. Apimo allows a provider 1,000 requests a day, and a run needs at least two per agency: with more than 17 agencies, set --every to 3m per agency (60 agencies: 3h).',
  quota: {
    host: 'api.apimo.pro',
    requestsPerSecond: 10,
    requestsPerDay: 1_000,
    account: providerOf,
  },
  credentials: {
    provider: 'The provider id that Apimo gave: the name for HTTP Basic authentication.',
    ...aliases('provider', ['provider_id', 'provider-id', 'username', 'user', 'login']),
    token: 'The token that belongs to it.',
    ...aliases('token', ['password', 'api_key', 'api-key', 'key', 'secret']),
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    agency:
      'Ids of the agencies to read, separated by commas. Default: the one in the address, else all that the provider sees.',
    agence: 'Another name for `agency`.',
    limit: 'Properties per page, 1 to 1000. Default 1000.',
    langue: 'Language of titles and descriptions preferred to French and English, such as "de".',
    'agence-nom': 'Name of the agency, if the API does not name it.',
    devise: 'Currency of properties that do not name theirs. Default EUR.',
  },
  lead: APIMO_LEAD,
  fetch: APIMO_WALK,
  format: jsonRecords({
    records: 'properties',
    envelope: ['total_items', 'timestamp'],
    declaredCount: 'total_items',
    raw: toRaw,
  }),
  map: toListing(MAPPING, {
    scope: (record) => textOf(record['agency']),
    revision: (record) => toRevision(textOf(record['updated_at'])),
    withdrawn: withdrawalOf,
  }),
});

function aliases(name: string, others: readonly string[]): Record<string, string> {
  return Object.fromEntries(others.map((other) => [other, `Another name for \`${name}\`.`]));
}
