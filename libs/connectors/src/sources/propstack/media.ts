import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toFlag } from '../../kit/clean/fold-word';
import { isFilm, toUrl } from '../../kit/clean/links';
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
  return [...listOf(record['images']), ...listOf(record['floorplans']).map(asPlan)]
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

function asPlan(one: unknown): unknown {
  return typeof one === 'object' && one !== null ? { ...one, is_floorplan: true } : one;
}

/** The links of a property have an address and a title; the title or the address says what they show. */
function linkedTo(record: JsonRecord, isWanted: (address: string, title: string) => boolean): string | undefined {
  for (const one of listOf(record['links'])) {
    if (typeof one !== 'object' || one === null) continue;
    const { url, title } = one as JsonRecord;
    const address = toUrl(textOf(url));
    if (address !== undefined && isWanted(address, textOf(title) ?? '')) return address;
  }
  return undefined;
}

const TOUR = /360|rundgang|tour\b|matterport|ogulo/i;

export function linkedTour(record: JsonRecord): string | undefined {
  return linkedTo(record, (address, title) => !isFilm(address) && (TOUR.test(title) || TOUR.test(address)));
}

export function linkedFilm(record: JsonRecord): string | undefined {
  return linkedTo(record, isFilm);
}

export function photosOf(record: JsonRecord): PhotoSource[] {
  return imagesOf(record).flatMap(({ url, title, isPlan }) => (isPlan ? [] : [{ value: url, legende: title }]));
}

export function plansOf(record: JsonRecord): LinkSource[] {
  return imagesOf(record).flatMap(({ url, title, isPlan }) => (isPlan ? [{ value: url, titre: title }] : []));
}
