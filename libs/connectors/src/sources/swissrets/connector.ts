import { SWISSRETS_RULES, SWISSRETS_SETTINGS } from '../../formats/swissrets/mapping';
import type { XmlRecord } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { SWISSRETS_RECORDS } from './format';
import { MAPPING } from './mapping';

/** SwissRETS: one XML or JSON file with all properties, alone or in a ZIP with its pictures. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'swissrets',
  label: 'SwissRETS (XML or JSON)',
  type: 'xml',
  version: 14,
  remap: { not: 'the mapping reads records in another form than the raw one, together with their project' },
  notes:
    'Source: the address of the SwissRETS export, an XML or JSON file or a ZIP with one, or its file in the inbox.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: SWISSRETS_SETTINGS,
  fetch: documentFetch(),
  open: { container: 'zip-or-plain', holdsRecords },
  format: SWISSRETS_RECORDS,
  map: toListing(MAPPING, SWISSRETS_RULES),
});

/** The XML files of an archive; if there are none, its JSON files. */
function holdsRecords(entryName: string, entryNames: readonly string[]): boolean {
  const isXml = (name: string): boolean => name.endsWith('.xml');
  return isXml(entryName) || (entryName.endsWith('.json') && !entryNames.some(isXml));
}
