import type { XmlRecord } from '../../formats/xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toUrl } from '../../kit/clean/links';
import { toInteger } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';

const at = {
  pictures: compilePath('pictures.picture'),
  pictureUrls: compilePath('pictures.picture-url'),
  blueprints: compilePath('blueprints.blueprint'),
  floorplanner: compilePath('extra-features.floorplanner-url'),
  documents: compilePath('documents.document'),
  videos: compilePath('videos.video'),
};

interface Item {
  url: string | undefined;
  text: string | undefined;
  type: string | undefined;
}

/** In the order of `position`, then those without one. The address is an attribute; in version 2.0 it is the text. */
function itemsOf(value: unknown): Item[] {
  return listOf(value)
    .map((one, index) => {
      const members = (typeof one === 'object' && one !== null ? one : {}) as XmlRecord;
      const url = textOf(members['@url']);
      const text = textOf(one);
      return {
        order: toInteger(scalarOf(members['@position'])) ?? 10_000 + index,
        item: { url: url ?? text, text: url === undefined ? undefined : text, type: textOf(members['@type']) },
      };
    })
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

export function photosOf(record: XmlRecord): PhotoSource[] {
  return [...itemsOf(at.pictures(record)), ...itemsOf(at.pictureUrls(record))].map(({ url, text }) => ({
    value: url,
    legende: text,
  }));
}

const isPlan = ({ type }: Item): boolean => type?.toLowerCase() === 'planimetria';
const linkOf = ({ url, text, type }: Item): LinkSource => ({ value: url, titre: text ?? type });

export function plansOf(record: XmlRecord): LinkSource[] {
  return [
    ...itemsOf(at.blueprints(record)).map(linkOf),
    ...itemsOf(at.documents(record)).filter(isPlan).map(linkOf),
    { value: at.floorplanner(record) },
  ];
}

export function documentsOf(record: XmlRecord): LinkSource[] {
  return itemsOf(at.documents(record))
    .filter((item) => !isPlan(item))
    .map(linkOf);
}

/** A `local` video is a file of the archive and has no address. */
export function videoOf(record: XmlRecord, context: RecordContext): string | undefined {
  const addresses = itemsOf(at.videos(record)).flatMap(({ url }) => {
    const address = toUrl(url);
    if (address === undefined && url !== undefined) context.warn('photo_invalid', 'videos.video', url.slice(0, 120));
    return address ?? [];
  });
  return addresses[0];
}
