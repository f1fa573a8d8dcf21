import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toFlag } from '../../kit/clean/fold-word';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { listOf, scalarOf, textOf } from '../../kit/values';

interface Image {
  url: string | undefined;
  title: string | undefined;
  isPlan: boolean;
  position: number;
}

function imagesOf(record: JsonRecord): Image[] {
  return listOf(record['images'])
    .flatMap((one, index): Image[] => {
      if (typeof one !== 'object' || one === null) return [];
      const { url, big_url: big, title, position, is_private: isPrivate, is_floorplan: isPlan } = one as JsonRecord;
      if (toFlag(scalarOf(isPrivate)) === true) return [];
      const address = textOf(url) ?? textOf(big);
      const place = toNumber(scalarOf(position)) ?? index;
      return [{ url: address, title: textOf(title), isPlan: toFlag(scalarOf(isPlan)) === true, position: place }];
    })
    .sort((a, b) => a.position - b.position);
}

export function photosOf(record: JsonRecord): PhotoSource[] {
  return imagesOf(record).flatMap(({ url, title, isPlan }) => (isPlan ? [] : [{ value: url, legende: title }]));
}

export function plansOf(record: JsonRecord): LinkSource[] {
  return imagesOf(record).flatMap(({ url, title, isPlan }) => (isPlan ? [{ value: url, titre: title }] : []));
}
