import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { IDEALISTA_RECORDS } from './format';
import { MAPPING, whyWithdrawn } from './mapping';

/** idealista's import format, version 6: one JSON file per customer, always with all properties. See README.md. */
export const connector = defineConnector({
  code: 'idealista',
  label: 'idealista (JSON v6)',
  type: 'custom',
  version: 7,
  remap: { since: 7, beside: ['customerCountry', 'customerName', 'customerContact'] },
  notes:
    'Source: the JSON file that is made for idealista (`ilc….json`), dropped in the inbox or served over HTTP(S) or FTP.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, for files without `customerName`.',
    langue: 'Language of descriptions preferred to French, English, Spanish, Italian and Portuguese, such as "de".',
    pays: 'Country of properties where neither they nor the file name one. Default ES.',
    devise: 'Currency of the prices: the format does not name it. Default EUR.',
  },
  fetch: documentFetch(),
  format: IDEALISTA_RECORDS,
  map: toListing(MAPPING, { withdrawn: whyWithdrawn }),
});
