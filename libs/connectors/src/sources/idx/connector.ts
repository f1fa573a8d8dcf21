import { idxRows } from '../../formats/idx-rows';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { holdsIdx } from './archive';
import { agencyOf } from './identity';
import { PRIVATE_CELLS } from './lookups';
import { MAPPING, showsAddress } from './mapping';

/** IDX 3.01, the exchange format of Swiss portals: one text file, all listings each time. See README.md. */
export const connector = defineConnector({
  code: 'idx',
  label: 'IDX 3.01 (Suisse)',
  type: 'custom',
  version: 3,
  notes:
    'Source: the IDX 3.01 file (unload.txt) that the CRM drops in the inbox or serves over HTTP(S), bare or in a ZIP.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency where cells 69 and 70 are empty.',
    pays: 'Country of listings whose cell 12 is empty. Default CH.',
    devise: 'Currency of listings whose cell 22 is empty. Default CHF.',
    'publier-adresse': '"non" keeps cell 8, the street, from leaving. Default oui.',
  },
  fetch: documentFetch(),
  open: { container: 'zip-or-plain', holdsRecords: holdsIdx },
  format: idxRows({
    private: PRIVATE_CELLS,
    privateWhen: (cell, context) => cell === 8 && !showsAddress(context),
  }),
  map: toListing(MAPPING, { scope: agencyOf, revision: (row) => toRevision(row[177]) }),
});
