import { polirisRows } from '../../formats/poliris-rows';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { NUMBER_RANKS, PLACE_RANKS, PRIVATE_RANKS } from './lookups';
import { agencyOf, MAPPING, showsAddress } from './mapping';
import { PHOTO_SERIES } from './photo-series';

/** SeLoger / Poliris: a ZIP with `Annonces.csv`, which always contains all listings. See README.md. */
export const connector = defineConnector({
  code: 'poliris',
  label: 'SeLoger / Poliris (CSV in a ZIP)',
  type: 'zip',
  version: 15,
  remap: { since: 14, beside: ['config', 'numbers'] },
  notes:
    'Source: the ZIP that the CRM drops in the inbox or serves over HTTP(S), with Annonces.csv in it; a bare CSV works too.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    'agence-nom': 'Name of the agency, which the format does not hold: agenceNom of every listing.',
    'agence-noms': 'For files of several agencies: "ID=Name; ID=Name", by the identifier of rank 1.',
    pays: 'Country of listings whose rank 7 is empty. Default FR.',
    langue: 'Language of titles and descriptions preferred to French, such as "en", where ranks 124 to 135 have it.',
    devise: 'Currency when the archive has no Config.txt that says it. Default EUR.',
    'publier-adresse':
      '"oui" publishes the address (rank 8) and the position (298 to 300), "quartier" the position to two decimals. Default non.',
  },
  fetch: documentFetch(),
  open: {
    container: 'zip-or-plain',
    holdsRecords: holdsAnnonces,
    sidecars: { config: named('config.txt') },
    completePhotos: { named: named('photos.cfg'), says: (text) => /^[ \t]*mode[ \t]*=\s*full\b/im.test(text) },
  },
  format: polirisRows({
    private: PRIVATE_RANKS,
    numbers: NUMBER_RANKS,
    privateWhen: (rank, context) => PLACE_RANKS.has(rank) && !showsAddress(context),
  }),
  photoQueryIsVersion: true,
  photoSeries: PHOTO_SERIES,
  map: toListing(MAPPING, {
    scope: agencyOf,
    numbers: [...NUMBER_RANKS.amounts, ...NUMBER_RANKS.areas].map(String),
  }),
});

/**
 * The listings are in `annonces.csv`, in any folder. Without such a file, every other CSV file counts, unless its name
 * shows another content.
 */
export function holdsAnnonces(entryName: string, entryNames: readonly string[] = []): boolean {
  if (!isCsv(entryName)) return false;
  if (isAnnonces(entryName)) return true;
  const candidates = entryNames.filter(isCsv);
  if (candidates.some(isAnnonces)) return false;
  return candidates.length === 1 || !NOT_LISTINGS.test(baseName(entryName));
}

const NOT_LISTINGS = /^(?:photos?|images?|agences?|contacts?|clients?|config|log|stat\w*|negociateurs?)\b/;

/** Returns a test for archive entries with this file name, in any folder. */
export function named(fileName: string): (entryName: string) => boolean {
  return (entryName) => !isJunk(entryName) && baseName(entryName) === fileName;
}

function isAnnonces(entryName: string): boolean {
  return baseName(entryName).endsWith('annonces.csv');
}

function isCsv(entryName: string): boolean {
  return entryName.toLowerCase().endsWith('.csv') && !isJunk(entryName);
}

/** Whether an archive entry is a metadata file of macOS. */
function isJunk(entryName: string): boolean {
  return entryName.toLowerCase().startsWith('__macosx/') || baseName(entryName).startsWith('._');
}

function baseName(entryName: string): string {
  return entryName.toLowerCase().split('/').at(-1) ?? '';
}
