import { isTransfer, openImmoTransfers } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { languageRank, scopeOf } from './identity';
import { MAPPING } from './mapping';
import { LISTS, toRaw } from './raw-fields';
import { withdrawalOf } from './withdrawal';

/** OpenImmo 1.2: XML, alone or in a ZIP with pictures; the whole portfolio of an agency, or what changed in it. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'openimmo',
  label: 'OpenImmo (XML, also in a ZIP)',
  type: 'zip',
  version: 2,
  notes: 'Source: the OpenImmo XML, or the ZIP around it, that the CRM drops in the inbox or serves over HTTP(S).',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, for transfers without a `firma`.',
    langue: 'Language, as "de", of the objects and texts that come ahead of French and English ones.',
    pays: 'Country of objects that do not name theirs.',
    devise: 'Currency of objects that do not name theirs. Default EUR.',
    'publier-adresse':
      '"oui" shows street and point of objects that do not say whether theirs may be shown. Default non.',
    'montrer-vendus': '"non" withdraws objects whose verkaufstatus is VERKAUFT. Default oui.',
  },
  fetch: documentFetch(),
  open: {
    container: 'zip-or-plain',
    holdsRecords: (entryName) => entryName.endsWith('.xml') && !(entryName.split('/').at(-1) ?? '').startsWith('._'),
  },
  format: openImmoTransfers({ lists: LISTS, raw: toRaw }),
  map: toListing(MAPPING, { scope: scopeOf, revision: languageRank, withdrawn: withdrawalOf }),
  // Each file says of which agencies it lists everything: the others keep what it does not name. Without a transfer, as in
  // an archive whose XML is empty, nothing is there: that is for the publish gate to judge.
  coverage: (feed, scopes) => (isTransfer(feed) ? { kind: 'whole-scopes', scopes } : { kind: 'whole' }),
});
