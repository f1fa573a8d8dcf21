import type { BlmRow } from '../../formats/blm-rows';
import { plainLine } from '../../kit/clean/plain-text';
import type { PhotoSeriesRule } from '../../kit/photo-series';
import { PHOTO_COLUMNS } from './lookups';
import { affIdOf, branchOf } from './mapping';

/** `<AGENT_REF>_IMG_<nn>`; AGENT_REF starts with the branch. FLP are plans, DOC documents, 60 and up certificates. */
export const PHOTO_SERIES: PhotoSeriesRule<BlmRow> = {
  field: 'MEDIA_IMAGE',
  comesWhole: true,
  read(name) {
    const [, stem, digits] = /^(.+)_img_(\d{1,2})$/.exec(name) ?? [];
    if (stem === undefined) return undefined;
    const number = Number(digits);
    return number < 60 ? { stem, number } : undefined;
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
      named: PHOTO_COLUMNS.map(({ photo }) => row[photo] ?? '').filter((value) => value.trim() !== ''),
    };
  },
};
