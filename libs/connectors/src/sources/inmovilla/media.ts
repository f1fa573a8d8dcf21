import type { XmlRecord } from '../../formats/xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { isFilm, toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord } from '../../kit/clean/fold-word';
import { textOf } from '../../kit/values';

/** Higher than any number in a known feed. Numbers may be missing in between. */
export const MOST_PHOTOS = 60;
const PLAN = /\bplanos?\b/;

interface Picture {
  value: string | undefined;
  label: string | undefined;
}

/** `foto1`, `foto2`, … each with its subject in `eti`, such as "fachada". */
function picturesOf(record: XmlRecord): Picture[] {
  const pictures: Picture[] = [];
  for (let number = 0; number <= MOST_PHOTOS; number += 1) {
    const picture = record[`foto${number}`];
    if (picture === undefined) continue;
    const label = typeof picture === 'object' ? (picture as { readonly '@eti'?: unknown })['@eti'] : undefined;
    pictures.push({ value: textOf(picture), label: plainLine(textOf(label)) });
  }
  return pictures;
}

function isPlan({ label }: Picture): boolean {
  return label !== undefined && PLAN.test(foldWord(label));
}

export function photosOf(record: XmlRecord): PhotoSource[] {
  return picturesOf(record)
    .filter((picture) => !isPlan(picture))
    .map(({ value, label }) => ({ value, legende: label }));
}

export function plansOf(record: XmlRecord): LinkSource[] {
  return picturesOf(record)
    .filter(isPlan)
    .map(({ value, label }) => ({ value, titre: label }));
}

/** A film is on one of two film hosts or is a film file. Other readers of the feed also treat the rest as tours. */
export function filmOf(record: XmlRecord): string | undefined {
  return addressesOf(record).find((address) => isFilm(address));
}

export function tourOf(record: XmlRecord): string | undefined {
  const named = [record['tour'], videosOf(record)['tour'], videosOf(record)['video360']].map((value) =>
    toUrl(textOf(value)),
  );
  return named.find((url) => url !== undefined) ?? addressesOf(record).find((address) => !isFilm(address));
}

/** `videos` has `video1`, `video2`, … */
function addressesOf(record: XmlRecord): string[] {
  return Object.entries(videosOf(record)).flatMap(([name, value]) =>
    /^video\d{1,2}$/.test(name) ? (toUrl(textOf(value)) ?? []) : [],
  );
}

function videosOf(record: XmlRecord): XmlRecord {
  const videos = record['videos'];
  return typeof videos === 'object' && videos !== null && !Array.isArray(videos) ? (videos as XmlRecord) : {};
}
