import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { MAPPING } from './mapping';
import { LISTS, RAW_FIELDS } from './raw-fields';

/** Kyero, versions 2.1 and 3: one XML file that always contains all properties. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'kyero',
  label: 'Kyero (XML)',
  type: 'xml',
  version: 11,
  remap: { since: 11, beside: ['numbers', 'agent'] },
  notes: 'Source: the address of the agency’s Kyero XML feed, version 3 or 2.1.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, for feeds without an agent block.',
    langue: 'Language of descriptions preferred to French, English and Spanish, such as "de".',
    pays: 'Country of properties that do not name theirs. Default ES.',
    devise: 'Currency of properties that do not name theirs. Default EUR.',
  },
  fetch: documentFetch(),
  format: xmlRecords({
    root: ['root', 'kyero'],
    record: 'property',
    // Without the `kyero` block, because its timestamp would make all records look changed.
    context: ['agent'],
    beside: ['kyero', 'xml_mediaelx'],
    lists: LISTS,
    numbers: { amounts: ['price', 'price_old'], areas: ['built', 'plot'] },
    raw: RAW_FIELDS,
  }),
  map: toListing(MAPPING, {
    revision: (record) => toRevision(textOf(record['date'])),
    numbers: ['price', 'surface_area.built', 'surface_area.plot'],
  }),
});
