import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { withBlocks } from './blocks';
import { NUMBER_NAMES } from './lookups';
import { MAPPING } from './mapping';
import { withdrawalOf } from './offer';
import { LISTS, toRaw } from './raw-fields';

const listing = toListing(MAPPING, { withdrawn: withdrawalOf });

/** Ubiflow: one XML file with all adverts. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'ubiflow',
  label: 'Ubiflow (XML)',
  type: 'xml',
  version: 10,
  notes: 'Source: the address that Ubiflow gave for the advertiser, with its parameters. They are secrets.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, for adverts without a `contact_a_afficher`.',
    langue: 'Language of titles and descriptions preferred to French, such as "en".',
    pays: 'Country of adverts that do not name theirs. Default FR.',
    devise: 'Currency of adverts that do not name theirs. Default EUR.',
  },
  fetch: documentFetch(),
  format: xmlRecords({
    root: ['client', 'clients', 'annonces'],
    record: 'annonce',
    lists: LISTS,
    numbers: NUMBER_NAMES,
    raw: toRaw,
  }),
  map: (record, context) => listing(withBlocks(record), context),
});
