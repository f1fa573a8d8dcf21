import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toUrl } from '../../kit/clean/links';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { sideOf } from './display';

interface Image {
  url: unknown;
  caption: unknown;
  order: number;
}

function imagesOf(record: JsonRecord, ...types: string[]): Image[] {
  return listOf(record['images'])
    .flatMap((one, index): Image[] => {
      if (typeof one !== 'object' || one === null) return [];
      const { type, url, caption, order } = one as Readonly<Record<string, unknown>>;
      const isWanted = types.includes(textOf(type)?.toLowerCase() ?? 'picture');
      return isWanted ? [{ url, caption, order: toNumber(scalarOf(order)) ?? index }] : [];
    })
    .sort((a, b) => a.order - b.order);
}

/** The documentation calls the type of a photo `picture`, and later `photograph`. */
export function photosOf(record: JsonRecord): PhotoSource[] {
  return imagesOf(record, 'picture', 'photograph').map(({ url, caption }) => ({
    value: textOf(url),
    legende: textOf(caption),
  }));
}

export function plansOf(record: JsonRecord): LinkSource[] {
  return linksOf(record, 'floorplan');
}

const at = {
  certificate: compilePath('epc.fullDocumentUrl'),
  saleBrochure: compilePath('selling.publicBrochureUrl'),
  letBrochure: compilePath('letting.publicBrochureUrl'),
};

/** Pictures of the certificate, its document, and the brochure of the shown side. */
export function documentsOf(record: JsonRecord): LinkSource[] {
  const brochure = sideOf(record) === 'letting' ? at.letBrochure(record) : at.saleBrochure(record);
  return [
    ...linksOf(record, 'epc'),
    ...[at.certificate(record), brochure].flatMap((value) => (textOf(value) === undefined ? [] : [{ value }])),
  ];
}

function linksOf(record: JsonRecord, type: string): LinkSource[] {
  return imagesOf(record, type).map(({ url, caption }) => ({ value: url, titre: caption }));
}

const TOUR = /tour|360|matterport/i;

/** A property has two URLs, each for a film or a tour. The caption or the URL shows which it is. */
export function filmOf(record: JsonRecord, wanted: 'video' | 'tour'): string | undefined {
  for (const name of ['video', 'video2']) {
    const url = toUrl(textOf(record[`${name}Url`]));
    if (url === undefined) continue;
    const isTour = TOUR.test(`${textOf(record[`${name}Caption`]) ?? ''} ${url}`);
    if (isTour === (wanted === 'tour')) return url;
  }
  return undefined;
}
