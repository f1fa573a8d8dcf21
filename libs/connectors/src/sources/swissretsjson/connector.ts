import type { JsonRecord } from '../../formats/json-records';
import { SWISSRETS_INVENTORY } from '../../formats/swissrets/json-inventory';
import { SWISSRETS_SETTINGS } from '../../formats/swissrets/mapping';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { MAPPING, RULES } from './mapping';

/** SwissRETS JSON: one file with all properties, alone or in a ZIP with its pictures. See README.md. */
export const connector = defineConnector<JsonRecord>({
  code: 'swissretsjson',
  label: 'SwissRETS JSON',
  type: 'custom',
  version: 4,
  remap: { since: 4 },
  notes: 'Source: the address of the SwissRETS inventory, a JSON file or a ZIP with one, or its file in the inbox.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: SWISSRETS_SETTINGS,
  fetch: documentFetch(),
  open: { container: 'zip-or-plain', holdsRecords: (entryName) => entryName.endsWith('.json') },
  format: SWISSRETS_INVENTORY,
  map: toListing(MAPPING, RULES),
});
