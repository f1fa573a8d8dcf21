import { type BlmRow, blmRows } from '../../formats/blm-rows';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import {
  CERTIFICATE_COLUMNS,
  DOCUMENT_COLUMNS,
  FLOOR_PLAN_COLUMNS,
  isPhotoNumber,
  isPublicColumn,
  type MediaColumn,
  NUMBER_COLUMNS,
  PHOTO_COLUMNS,
  PRIVATE_COLUMNS,
} from './lookups';
import { affIdOf, branchOf, MAPPING, showsExactPosition, whyWithdrawn } from './mapping';
import { plainLine } from '../../kit/clean/plain-text';
import type { PhotoSeriesRule } from '../../kit/photo-series';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/**
 * Photo files are named `<AGENT_REF>_IMG_<nn>`; AGENT_REF starts with the branch. FLP instead of IMG marks plans, DOC
 * documents. Images 60 to 69 are certificates.
 */
const PHOTO_SERIES: PhotoSeriesRule<BlmRow> = {
  field: 'MEDIA_IMAGE',
  comesWhole: true,
  read(name) {
    const [, stem, mark, digits] = /^(.+)_(img|flp|doc)_(\d{1,2})$/.exec(name) ?? [];
    if (stem === undefined) return undefined;
    const number = Number(digits);
    const kind = mark === 'flp' ? 'plans' : mark === 'img' && isPhotoNumber(number) ? 'photos' : 'documents';
    return { stem, number, kind };
  },
  of(row) {
    const id = affIdOf(row);
    const reference = plainLine(row['AGENT_REF'] ?? '')?.toLowerCase();
    if (id === undefined || reference === undefined) return undefined;
    const branch = branchOf(row)?.toLowerCase();
    const isWhole = branch === undefined || reference.startsWith(`${branch}_`);
    return {
      id,
      stems: isWhole ? [reference] : [reference, `${branch}_${reference}`],
      named: {
        photos: valuesIn(row, PHOTO_COLUMNS),
        plans: valuesIn(row, FLOOR_PLAN_COLUMNS),
        documents: valuesIn(row, [...DOCUMENT_COLUMNS, ...CERTIFICATE_COLUMNS]),
      },
    };
  },
};

function valuesIn(row: BlmRow, columns: readonly MediaColumn[]): string[] {
  return columns.map(({ value }) => row[value] ?? '').filter((value) => value.trim() !== '');
}

/** Rightmove BLM, versions 3 and 3i: a ZIP with one `.blm` file that always contains all properties. See README.md. */
export const connector = defineConnector({
  code: 'blm',
  label: 'Rightmove BLM (ZIP)',
  type: 'zip',
  version: 17,
  remap: { since: 17, beside: ['numbers'] },
  notes:
    'Source: the ZIP that the CRM drops in the inbox or serves over HTTP(S), with a .blm file in it; a bare .blm works too.',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    ...KEEP_SOLD_SETTING,
    'agence-nom': 'Name of the agency, which the format does not hold: agenceNom of every listing.',
    'agence-noms': 'For files of several branches: "ID=Name; ID=Name", by BRANCH_ID.',
    devise: 'Currency of the prices, which the format does not say. Default GBP.',
    pays: 'Country of properties without COUNTRY_CODE. Default GB, and unknown for overseas ones.',
    'unite-surface':
      'Unit of sizes without AREA_SIZE_UNIT_ID: m2, ft2, acre or ha. Without it such sizes are left out.',
  },
  fetch: documentFetch(),
  open: { container: 'zip-or-plain', holdsRecords: (entryName) => entryName.endsWith('.blm') },
  format: blmRows({
    isPublic: isPublicColumn,
    private: PRIVATE_COLUMNS,
    privateWhen: (column, row) => (column === 'LATITUDE' || column === 'LONGITUDE') && showsExactPosition(row),
    numbers: NUMBER_COLUMNS,
  }),
  photoSeries: PHOTO_SERIES,
  map: toListing(MAPPING, {
    scope: branchOf,
    withdrawn: whyWithdrawn,
  }),
});
