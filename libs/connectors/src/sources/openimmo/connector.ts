import { isTransfer, openImmoTransfers, transferIn } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { compilePath, textOf } from '../../kit/values';
import { attributeOf } from './attributes';
import { lookUp } from '../../kit/word-table';
import { OPENIMMO_LEAD } from './lead';
import { ACTIONS } from './lookups';
import { languageRank, MAPPING, scopeOf } from './mapping';
import { LISTS, toRaw } from './raw-fields';

/**
 * OpenImmo 1.2: an XML file, or a ZIP of XML and pictures. A transfer contains all objects of an agency, or only the
 * changes. See README.md.
 */
export const connector = defineConnector<XmlRecord>({
  code: 'openimmo',
  label: 'OpenImmo (XML, also in a ZIP)',
  type: 'zip',
  version: 10,
  notes: 'Source: the OpenImmo XML, or the ZIP around it, that the CRM drops in the inbox or serves over HTTP(S).',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, for transfers without a `firma`.',
    langue: 'Language, such as "de", of the objects and texts preferred to French and English ones.',
    pays: 'Country of objects that do not name theirs.',
    devise: 'Currency of objects that do not name theirs. Default EUR.',
    'publier-adresse':
      '"oui" shows street and point of objects that do not say whether theirs may be shown. Default non.',
    'montrer-vendus': '"non" withdraws objects whose verkaufstatus is VERKAUFT. Default oui.',
  },
  fetch: documentFetch(),
  lead: OPENIMMO_LEAD,
  open: {
    container: 'zip-or-plain',
    passesOverForeign: true,
    holdsRecords: (entryName) => entryName.endsWith('.xml') && !(entryName.split('/').at(-1) ?? '').startsWith('._'),
  },
  format: openImmoTransfers({ lists: LISTS, raw: toRaw }),
  map: toListing(MAPPING, { scope: scopeOf, revision: languageRank, withdrawn: withdrawalOf }),
  // A transfer covers only the agencies that it names, so the listings of other agencies stay. Without a transfer the
  // file counts as the whole list, and the publish gate judges the result.
  coverage: (feed, scopes) => (isTransfer(feed) ? { kind: 'whole-scopes', scopes } : { kind: 'whole' }),
});

const at = {
  action: compilePath('verwaltung_techn.aktion'),
  saleStatus: compilePath('zustand_angaben.verkaufstatus'),
};

/** Returns why an object must be hidden. An empty `aktion` adds or replaces an object. */
function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  const { isDeletion, unknownUmfang } = transferIn(context);
  if (unknownUmfang !== undefined) context.warn('unknown_word', 'uebertragung.umfang', unknownUmfang);
  if (isDeletion === true) return 'the transfer deletes its objects (modus DELETE)';
  const action = at.action(record);
  const word = textOf(attributeOf(action, 'aktionart')) ?? textOf(action);
  const meaning = word === undefined ? 'show' : lookUp(ACTIONS, word, 'verwaltung_techn.aktion', context);
  if (meaning === 'delete') return 'the agency deletes the object (aktionart DELETE)';
  if (meaning === 'reference') return 'sold or let: kept by the agency as a reference (aktionart REFERENZ)';
  return isSold(record) && toFlag(context.settings['montrer-vendus']) === false
    ? 'sold (verkaufstatus VERKAUFT)'
    : undefined;
}

function isSold(record: XmlRecord): boolean {
  const status = at.saleStatus(record);
  return (textOf(attributeOf(status, 'stand')) ?? textOf(status))?.toUpperCase() === 'VERKAUFT';
}
