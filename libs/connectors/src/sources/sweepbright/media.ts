import type { JsonRecord } from '../../formats/json-records';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { listOf, scalarOf, textOf } from '../../kit/values';

/** The address of a photo expires on `url_expires_on`, so the identifier says which photo it is. */
export function photosOf(record: JsonRecord): PhotoSource[] {
  return listOf(record['images'])
    .flatMap((one, index) => {
      if (typeof one !== 'object' || one === null) return [];
      const { id, url, description, ordinal } = one as JsonRecord;
      const source: PhotoSource = { value: textOf(url), dyingId: textOf(id), legende: textOf(description) };
      return [{ source, ordinal: toNumber(scalarOf(ordinal)) ?? index }];
    })
    .sort((a, b) => a.ordinal - b.ordinal)
    .map(({ source }) => source);
}
