import type { JsonRecord } from '../../formats/json-records';
import type { PhotoSource } from '../../kit/clean/photos';
import { listOf, textOf } from '../../kit/values';

/** The members that list the photos, the largest size first. Each lists the same photos. */
const SIZES = ['XLargePictureItems', 'LargePictureItems', 'LargePictures', 'MediumPictureItems', 'MediumPictures'];

/** Elements are addresses, or objects `{"ID": …, "Url": …}`. Without a list there is only the first photo. */
export function photosOf(record: JsonRecord): PhotoSource[] {
  for (const size of SIZES) {
    const found = listOf(record[size]).flatMap((one) => {
      const url = textOf(typeof one === 'object' && one !== null ? (one as JsonRecord)['Url'] : one);
      return url === undefined ? [] : [{ value: url }];
    });
    if (found.length > 0) return found;
  }
  const first = textOf(record['LargePicture']);
  return first === undefined ? [] : [{ value: first }];
}
export const PHOTO_PATHS = [...SIZES, 'LargePicture'];
