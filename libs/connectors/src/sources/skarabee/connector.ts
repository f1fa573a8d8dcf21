import { xmlRecords } from '../../formats/xml-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { toListing } from '../../kit/listing-mapping';
import { compilePath, textOf } from '../../kit/values';
import { withdrawalOf } from './display';
import { SKARABEE_FEEDBACK } from './feedback';
import { SKARABEE_LEAD } from './lead';
import { MAPPING } from './mapping';
import { toRaw } from './raw-fields';
import { HOST, SKARABEE_WALK, userOf } from './walk';
import { KEEP_SOLD_SETTING } from '../../kit/status';

const changedAt = compilePath('Info.Modified');

/** Skarabee Weblink: a SOAP service that lists publications and returns each one separately. See README.md. */
export const connector = defineConnector({
  code: 'skarabee',
  version: 6,
  remap: { since: 6, beside: ['agency'] },
  label: 'Skarabee (Weblink)',
  type: 'api',
  notes: `Source: https://${HOST}/v40/weblink.asmx, or the address that the vendor gives. One gateway for each account.`,
  quota: { host: HOST, requestsPerSecond: 5, requestsPerDay: 50_000, account: userOf },
  credentials: {
    user: 'User name of the Weblink account.',
    username: 'Another name for `user`.',
    password: 'Password that belongs to `user`.',
  },
  settings: {
    ...KEEP_SOLD_SETTING,
    types: 'Types of publications that are read, separated by commas: TRANSACTION, PROJECT, LOT, MODEL. Default all.',
    'exclure-partages': 'Yes to leave out publications that other agencies share. Default no.',
    'agence-nom': 'Name of the agency, instead of that of the account.',
    retour:
      'Yes to report the result of each publication to Skarabee: shown, removed, or why it is not shown. Default no.',
    'page-annonce': 'Address of a page of the site, with {affId} for the publication: Skarabee gets it with `retour`.',
    langue: 'Language of title and description, as fr, nl or en. Default fr.',
    pays: 'Country of publications that do not say theirs. Default BE.',
  },
  fetch: SKARABEE_WALK,
  lead: SKARABEE_LEAD,
  feedback: SKARABEE_FEEDBACK,
  format: xmlRecords({
    root: 'Publications',
    record: 'Publication',
    lists: [
      ...['Pictures.Picture', 'FloorPlans.FloorPlan', 'Documents.Document'],
      ...['Property.AllFlashes.Flash', 'Property.Flashes.Flash', 'Property.HeatingTypes.HeatingType'],
    ],
    raw: toRaw,
  }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(changedAt(record))),
    withdrawn: withdrawalOf,
  }),
});
