import { idxRows } from '../../formats/idx-rows';
import { toRevision } from '../../kit/clean/date';
import { toUrl } from '../../kit/clean/links';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { NUMBER_CELLS, PRIVATE_CELLS } from './lookups';
import { agencyOf, MAPPING, showsAddress } from './mapping';

/** IDX 3.01, the exchange format of Swiss portals: one text file with all listings. See README.md. */
export const connector = defineConnector({
  code: 'idx',
  label: 'IDX 3.01 (Suisse)',
  type: 'custom',
  version: 14,
  remap: { since: 14, beside: ['numbers'] },
  notes:
    'Source: the IDX 3.01 file (unload.txt) that the CRM drops in the inbox or serves over HTTP(S), bare or in a ZIP.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency where cells 69 and 70 are empty.',
    pays: 'Country of listings whose cell 12 is empty. Default CH.',
    devise: 'Currency of listings whose cell 22 is empty. Default CHF.',
    'publier-adresse': '"non" does not publish cell 8, the street. Default oui.',
  },
  fetch: documentFetch(),
  open: { container: 'zip-or-plain', holdsRecords: holdsIdx },
  format: idxRows({
    private: PRIVATE_CELLS,
    numbers: NUMBER_CELLS,
    privateWhen: (cell, context, row) =>
      (cell === STREET && !showsAddress(context)) || (cell === TOUR && toUrl(row[TOUR]) === undefined),
  }),
  map: toListing(MAPPING, {
    scope: agencyOf,
    revision: (row) => toRevision(row[177]),
    numbers: NUMBER_CELLS.amounts.map(String),
  }),
});

const STREET = 8;
/** This cell has no use in the specification. It is public only if it contains the address of a tour. */
const TOUR = 180;

const NOT_LISTINGS = /^(?:readme|lisez[-_ ]?moi|liesmich|licen[cs]e|changelog|log|config|version|info|photos?)\b/;

/** `unload.txt` in any folder, as the portals require, else a file with IDX in its name, else any text or CSV file. */
export function holdsIdx(entryName: string, entryNames: readonly string[] = []): boolean {
  const rank = rankOf(entryName);
  return rank > 0 && entryNames.every((other) => rankOf(other) <= rank);
}

function rankOf(entryName: string): number {
  const path = entryName.toLowerCase();
  const name = path.split('/').at(-1) ?? '';
  if (path.startsWith('__macosx/') || name.startsWith('._')) return 0;
  if (name === 'unload.txt' || name === 'unload.csv') return 3;
  if (/\.idx$/.test(name) || /^idx[^/]*\.(?:txt|csv|dat)$/.test(name) || /^idx[\w-]*$/.test(name)) return 2;
  return /\.(?:txt|csv)$/.test(name) && !NOT_LISTINGS.test(name) ? 1 : 0;
}
