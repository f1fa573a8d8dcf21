import type { PolirisRow } from '../../formats/poliris-rows';
import type { LinkSource } from '../../kit/clean/attachments';
import { foldWord } from '../../kit/clean/fold-word';
import type { PhotoSource } from '../../kit/clean/photos';
import { PHOTO_RANKS } from './lookups';

interface Picture {
  value: string;
  title: string | undefined;
}

function* picturesOf(row: PolirisRow): Generator<Picture> {
  for (const { photo, title } of PHOTO_RANKS) {
    const value = row[photo];
    if (value !== undefined && value !== '') yield { value, title: row[title] };
  }
}

export function* photosOf(row: PolirisRow): Generator<PhotoSource> {
  for (const { value, title } of picturesOf(row)) if (!isPlan(title)) yield { value, legende: title };
}

/** The format has no rank for plans: they are among the photos. */
export function* plansOf(row: PolirisRow): Generator<LinkSource> {
  for (const { value, title } of picturesOf(row)) if (isPlan(title)) yield { value, titre: title };
}

const PLAN_WORDS: ReadonlySet<string> = new Set(
  (
    'de du d la le l des appartement maison villa logement studio duplex lot bien rdc rez chaussee etage niveau sous r ' +
    'sol combles interieur 2d 3d'
  ).split(' '),
);

/** "Plan", "Plan du 1er étage"; not "Plan d'eau" or "Plan de travail". */
function isPlan(title: string | undefined): boolean {
  if (title === undefined || !/^\s*plans?\b/i.test(title)) return false;
  const [, ...words] = foldWord(title).split(' ');
  return words.every((word) => PLAN_WORDS.has(word) || /^\d{1,3}(?:er|e|eme|nd)?$/.test(word));
}
