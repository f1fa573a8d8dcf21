import { composedName } from '@passerelle/domain';
import type { PolirisRow } from '../../formats/poliris-rows';
import { plainLine } from '../../kit/clean/plain-text';
import type { PhotoSeriesRule } from '../../kit/photo-series';
import { textOf } from '../../kit/values';
import { PHOTO_RANKS } from './lookups';
import { affIdOf, agencyOf } from './mapping';

const FIRST_LETTER = 'a'.charCodeAt(0);

/** Photo names such as `<reference>-a` or `<reference>_1`, with or without the agency in front. */
export const PHOTO_SERIES: PhotoSeriesRule<PolirisRow> = {
  field: '85',
  // `Photos.cfg` says whether an archive contains all photos of a series.
  comesWhole: false,
  read(name) {
    const [, stem, mark] = /^(.+)[-_](\d{1,2}|[a-z])$/.exec(name) ?? [];
    if (stem === undefined || mark === undefined) return undefined;
    return { stem, number: /\d/.test(mark) ? Number(mark) : mark.charCodeAt(0) - FIRST_LETTER + 1 };
  },
  of(row) {
    const id = affIdOf(row);
    const name = plainLine(textOf(row[2]));
    if (id === undefined || name === undefined) return undefined;
    const reference = composedName(name).toLowerCase();
    const agencyName = agencyOf(row);
    const agency = agencyName === undefined ? undefined : composedName(agencyName).toLowerCase();
    return {
      id,
      stems: [reference, ...(agency === undefined ? [] : [`${agency}-${reference}`, `${agency}_${reference}`])],
      named: { photos: PHOTO_RANKS.map(({ photo }) => row[photo] ?? '').filter((value) => value.trim() !== '') },
    };
  },
};
