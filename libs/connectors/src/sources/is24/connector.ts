import { xmlOrRows } from '../../formats/xml-or-rows';
import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { CSV_ROWS } from './csv-rows';
import { CHANGES, namedRecords, PROVIDER } from './format';
import { MAPPING, whyWithdrawn } from './mapping';
import { LISTS, toRaw } from './raw-fields';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** ImmobilienScout24: the XML or CSV that CRM systems exchange with it, alone or in a ZIP. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'is24',
  label: 'ImmobilienScout24 (XML or CSV, also in a ZIP)',
  type: 'zip',
  version: 5,
  remap: { since: 5 },
  notes:
    'Source: the IS24ImmobilienTransfer XML, or the CSV of the portal, or the ZIP around one, that the CRM drops in the inbox or serves over HTTP(S).',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    ...KEEP_SOLD_SETTING,
    'agence-nom': 'Name of the agency, which the format does not have.',
    langue: 'Language of titles and descriptions, which the format does not name, as "en". Default de.',
    pays: 'Country of properties that do not name theirs. Default DE.',
    devise: 'Currency of prices that do not name theirs. Default EUR.',
  },
  fetch: documentFetch(),
  open: {
    container: 'zip-or-plain',
    holdsRecords: (entryName, entryNames) =>
      isNamed(entryName, '.xml') || (isNamed(entryName, '.csv') && !entryNames.some((other) => isNamed(other, '.xml'))),
  },
  format: xmlOrRows(
    namedRecords(
      xmlRecords({
        root: 'IS24ImmobilienTransfer',
        // Each kind of property has its own element; an unknown element is also a record.
        record: '*',
        recordParents: [PROVIDER],
        groups: [PROVIDER],
        lists: LISTS,
        raw: toRaw,
      }),
    ),
    CSV_ROWS,
  ),
  map: toListing(MAPPING, { withdrawn: whyWithdrawn }),
  // Listings stay if a file of changes does not name them.
  coverage: (_feed, scopes) => (scopes.includes(CHANGES) ? { kind: 'delta' } : { kind: 'whole' }),
});

/** Whether an archive entry has this ending and is not a metadata file of macOS. */
function isNamed(entryName: string, ending: string): boolean {
  return entryName.endsWith(ending) && !(entryName.split('/').at(-1) ?? '').startsWith('._');
}
