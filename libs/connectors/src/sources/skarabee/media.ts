import type { XmlRecord } from '../../formats/xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import type { PhotoSource } from '../../kit/clean/photos';
import { compilePath, listOf, textOf } from '../../kit/values';

const at = {
  pictures: compilePath('Pictures.Picture'),
  plans: compilePath('FloorPlans.FloorPlan'),
  documents: compilePath('Documents.Document'),
};
const PLAN = /^MAP_/;
/** Prints and posters for the agency's window. */
const PRINTED: ReadonlySet<string> = new Set(['PRINTS', 'POSTER']);
/** The file types that are published. Mails and office files stay private. */
const PUBLIC_FILES: ReadonlySet<string> = new Set(['PDF', 'JPG', 'JPEG', 'PNG']);

interface Picture {
  url: string | undefined;
  title: string | undefined;
  kind: string;
  order: number;
}

function picturesOf(list: unknown): Picture[] {
  return listOf(list)
    .flatMap((one, index): Picture[] => {
      if (typeof one !== 'object' || one === null) return [];
      const { URL: url, Description: title, PictureType: kind, Index: order } = one as XmlRecord;
      const number = Number(textOf(order) ?? index);
      return [
        {
          ...{ url: textOf(url), title: textOf(title), kind: textOf(kind) ?? '' },
          order: Number.isFinite(number) ? number : index,
        },
      ];
    })
    .sort((a, b) => a.order - b.order);
}

export function photosOf(record: XmlRecord): PhotoSource[] {
  return picturesOf(at.pictures(record))
    .filter(({ kind }) => !PLAN.test(kind) && !PRINTED.has(kind))
    .map(({ url, title }) => ({ value: url, legende: title }));
}

export function plansOf(record: XmlRecord): LinkSource[] {
  const drawn = picturesOf(at.pictures(record)).filter(({ kind }) => PLAN.test(kind));
  return [...picturesOf(at.plans(record)), ...drawn].map(({ url, title }) => ({ value: url, titre: title }));
}

export function documentsOf(record: XmlRecord): LinkSource[] {
  return publicDocuments(record).map(({ URL: url, Description: title, OriginalName: name }) => ({
    value: textOf(url),
    titre: textOf(title) ?? textOf(name),
  }));
}

export function publicDocuments(record: XmlRecord): XmlRecord[] {
  const documents = listOf(at.documents(record)).filter(
    (one) => typeof one === 'object' && one !== null,
  ) as XmlRecord[];
  return documents.filter(({ FileType: type }) => PUBLIC_FILES.has(textOf(type) ?? ''));
}
