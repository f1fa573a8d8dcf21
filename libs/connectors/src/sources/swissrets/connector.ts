import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { SWISSRETS_RECORDS } from './format';
import { AVAILABILITIES } from './lookups';
import { MAPPING } from './mapping';

/** SwissRETS: one XML or JSON file, perhaps in a ZIP with its pictures, all properties each time. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'swissrets',
  label: 'SwissRETS (XML or JSON)',
  type: 'xml',
  version: 10,
  notes:
    'Source: the address of the SwissRETS export, an XML or JSON file or a ZIP with one, or its file in the inbox.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, for properties whose seller has neither a brand nor a legal name.',
    devise: 'Currency of prices that do not say theirs. Default CHF.',
    langue: 'Language of texts and images that comes ahead of French and English, as "de".',
    pays: 'Country of addresses that do not name theirs. Default CH.',
  },
  fetch: documentFetch(),
  open: { container: 'zip-or-plain', holdsRecords },
  format: SWISSRETS_RECORDS,
  map: toListing(MAPPING, { withdrawn: withdrawalOf }),
});

/** The XML files of an archive; where there is none, its JSON files. */
function holdsRecords(entryName: string, entryNames: readonly string[]): boolean {
  const isXml = (name: string): boolean => name.endsWith('.xml');
  return isXml(entryName) || (entryName.endsWith('.json') && !entryNames.some(isXml));
}

/** Why a property is not to be shown; undefined for one that is. An unknown word does not hide it. */
function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  return lookUp(AVAILABILITIES, textOf(record['availability']), 'availability', context)?.withdrawn;
}
