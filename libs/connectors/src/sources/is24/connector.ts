import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { CHANGES, namedRecords, PROVIDER } from './format';
import { MAPPING, whyWithdrawn } from './mapping';
import { LISTS, toRaw } from './raw-fields';

/** ImmobilienScout24, the XML that CRM systems exchange with the portal, alone or in a ZIP with pictures. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'is24',
  label: 'ImmobilienScout24 (XML, also in a ZIP)',
  type: 'zip',
  version: 1,
  notes:
    'Source: the IS24ImmobilienTransfer XML, or the ZIP around it, that the CRM drops in the inbox or serves over HTTP(S).',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, which the format does not have.',
    langue: 'Language of titles and descriptions, which the format does not name, as "en". Default de.',
    pays: 'Country of properties that do not name theirs. Default DE.',
    devise: 'Currency of prices that do not name theirs. Default EUR.',
  },
  fetch: documentFetch(),
  open: {
    container: 'zip-or-plain',
    holdsRecords: (entryName) => entryName.endsWith('.xml') && !(entryName.split('/').at(-1) ?? '').startsWith('._'),
  },
  format: namedRecords(
    xmlRecords({
      root: 'IS24ImmobilienTransfer',
      // Each kind of property has an element of its own: one that is not known is a record all the same.
      record: '*',
      recordParents: [PROVIDER],
      groups: [PROVIDER],
      lists: LISTS,
      raw: toRaw,
    }),
  ),
  map: toListing(MAPPING, { withdrawn: whyWithdrawn }),
  // What a file of changes does not name stays.
  coverage: (_feed, scopes) => (scopes.includes(CHANGES) ? { kind: 'delta' } : { kind: 'whole' }),
});
