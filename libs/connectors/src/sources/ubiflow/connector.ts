import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { NUMBER_NAMES, TRANSACTIONS } from './lookups';
import { MAPPING } from './mapping';
import { withdrawalOf } from './offer';
import { LISTS, toRaw } from './raw-fields';
import { listOf, textOf } from '../../kit/values';

/** Exporters put members of `prestation` into `bien` or the advert, and members of a missing `bien` into the advert. */
function withBlocks(record: XmlRecord): XmlRecord {
  const bien = blockOf(record['bien']) ?? record;
  const prestation = blockOf(record['prestation']) ?? {};
  return { ...record, bien, prestation: { ...record, ...offerIn(bien), ...said(prestation) } };
}

function blockOf(value: unknown): XmlRecord | undefined {
  return listOf(value).find((one): one is XmlRecord => typeof one === 'object' && one !== null);
}

/** `type` of a `bien` may be the property type, so keep it only if it names an offer. */
function offerIn(bien: XmlRecord): XmlRecord {
  const { type, ...others } = said(bien);
  return TRANSACTIONS.find(textOf(type) ?? '') === undefined ? others : { ...others, type };
}

/** Removes empty elements, which have no meaning. */
function said(block: XmlRecord): XmlRecord {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== ''));
}

const NUMBER_PATHS = [
  ...NUMBER_NAMES.amounts.map((name) => `prestation.${name}`),
  ...NUMBER_NAMES.areas.map((name) => `bien.${name}`),
];
const listing = toListing(MAPPING, { withdrawn: withdrawalOf, numbers: NUMBER_PATHS });

/** Ubiflow: one XML file with all adverts. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'ubiflow',
  label: 'Ubiflow (XML)',
  type: 'xml',
  version: 14,
  remap: { since: 14, beside: ['numbers'] },
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
