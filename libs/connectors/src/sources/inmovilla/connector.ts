import { severalOffers } from '../../formats/several-offers';
import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { toRevision } from '../../kit/clean/date';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { textOf } from '../../kit/values';
import { MAPPING } from './mapping';
import { mayBeSeveral, offersOf, whyWithdrawn } from './offer';
import { toRaw } from './raw-fields';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** Inmovilla, the XML for an agency's website: all published properties, every night. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'inmovilla',
  label: 'Inmovilla (XML)',
  type: 'xml',
  version: 6,
  remap: { since: 6, beside: ['numbers'] },
  notes: 'Source: the address of the agency’s XML, as https://procesos.apinmo.com/xml/v2/…/1234-web.xml.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    ...KEEP_SOLD_SETTING,
    'agence-nom': 'Name of the agency, for feeds that do not name it.',
    langue: 'Language of titles and descriptions preferred to French, English and Spanish, such as "de".',
    pays: 'Country of the properties; the format does not name it. Default ES.',
    devise: 'Currency of the prices; the format does not name it. Default EUR.',
  },
  fetch: documentFetch(),
  format: severalOffers(
    xmlRecords({
      root: 'propiedades',
      record: 'propiedad',
      numbers: {
        amounts: ['precioinmo', 'precioalq', 'preciotraspaso', 'outlet', 'gastos_com', 'ibi'],
        areas: ['m_cons', 'm_uties', 'm_utiles', 'm_parcela'],
      },
      raw: toRaw,
    }),
    { mayBeSeveral, offersOf },
  ),
  map: toListing(MAPPING, {
    withdrawn: whyWithdrawn,
    numbers: [
      'precioinmo',
      'precioalq',
      'preciotraspaso',
      'outlet',
      'gastos_com',
      'ibi',
      'm_cons',
      'm_uties',
      'm_utiles',
      'm_parcela',
    ],
    revision: (record) => toRevision(textOf(record['fechaact']) ?? textOf(record['fechamod'])),
  }),
});
