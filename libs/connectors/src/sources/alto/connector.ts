import { xmlRecords } from '../../formats/xml-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { compilePath, textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { ALTO_WALK, feedOf, HOST } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';

const changedAt = compilePath('summary.lastchanged');

/** Alto, formerly Vebra: an XML API with a list of summaries per branch and one request per listing. See README.md. */
export const connector = defineConnector({
  code: 'alto',
  label: 'Alto (API)',
  type: 'api',
  version: 8,
  remap: { since: 8, beside: ['branches'] },
  notes: `Source: https://${HOST}. One gateway for each data feed; if another program uses the feed, the gateway loses its token.`,
  quota: { host: HOST, requestsPerSecond: 5, requestsPerDay: 50_000, account: feedOf },
  credentials: {
    user: 'User name of the data feed.',
    username: 'Another name for `user`.',
    password: 'Password that belongs to `user`.',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    feed: 'Identifier of the data feed, as "ExampleAPI".',
    version: 'Version of the export. Default 12.',
    branches: 'Numbers of the branches that are read, separated by commas. Default all.',
    'publier-adresse': 'Yes to show the name or number of houses, and the exact position. Default no.',
    'agence-nom': 'Name of the agency, instead of those of its branches.',
    devise: 'Currency of prices that do not say theirs. Default GBP.',
    pays: 'Country of properties: the API does not name it. Default GB.',
  },
  fetch: ALTO_WALK,
  format: xmlRecords({
    root: ['properties', 'propertylist', 'property_list'],
    record: 'property',
    lists: ['area', 'type', 'paragraphs.paragraph', 'bullets.bullet', 'files.file'],
    raw: toRaw,
  }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(changedAt(record))),
    withdrawn: withdrawalOf,
  }),
});
