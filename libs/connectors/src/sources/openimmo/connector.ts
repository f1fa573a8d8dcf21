import { isTransfer, openImmoTransfers, TRANSFER } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { OPENIMMO_LEAD } from './lead';
import { languageRank, MAPPING, scopeOf } from './mapping';
import { LISTS, toRaw } from './raw-fields';
import { KEEP_SOLD_SETTING } from '../../kit/status';
import { withdrawalOf } from './display';
import { severalOffers } from '../../formats/several-offers';
import { mayBeSeveral, offersOf } from './marketing';

/**
 * OpenImmo 1.2: an XML file, or a ZIP of XML and pictures. A transfer contains all objects of an agency, or only the
 * changes. See README.md.
 */
export const connector = defineConnector<XmlRecord>({
  code: 'openimmo',
  label: 'OpenImmo (XML, also in a ZIP)',
  type: 'zip',
  version: 11,
  remap: { not: 'the agency and the kind of transfer are in elements around the records, and differ within one file' },
  notes: 'Source: the OpenImmo XML, or the ZIP around it, that the CRM drops in the inbox or serves over HTTP(S).',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    ...KEEP_SOLD_SETTING,
    'agence-nom': 'Name of the agency, for transfers without a `firma`.',
    langue: 'Language, such as "de", of the objects and texts preferred to French and English ones.',
    pays: 'Country of objects that do not name theirs.',
    devise: 'Currency of objects that do not name theirs. Default EUR.',
    'publier-adresse':
      '"oui" shows street and point of objects that do not say whether theirs may be shown. Default non.',
    'montrer-vendus': 'Another name for `keep-sold`.',
  },
  fetch: documentFetch(),
  lead: OPENIMMO_LEAD,
  open: {
    container: 'zip-or-plain',
    passesOverForeign: true,
    holdsRecords: (entryName) => entryName.endsWith('.xml') && !(entryName.split('/').at(-1) ?? '').startsWith('._'),
  },
  format: severalOffers(openImmoTransfers({ lists: LISTS, raw: toRaw }), {
    mayBeSeveral,
    offersOf,
    contextNames: [TRANSFER],
  }),
  map: toListing(MAPPING, { scope: scopeOf, revision: languageRank, withdrawn: withdrawalOf }),
  // A transfer covers only the agencies that it names, so the listings of other agencies stay. Without a transfer the
  // file counts as the whole list, and the publish gate judges the result.
  coverage: (feed, scopes) => (isTransfer(feed) ? { kind: 'whole-scopes', scopes } : { kind: 'whole' }),
});
