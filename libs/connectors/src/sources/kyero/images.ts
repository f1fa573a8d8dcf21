import type { XmlRecord } from '../../formats/xml-records';
import { byLanguage } from '../../kit/by-language';
import type { PhotoSource } from '../../kit/clean/photos';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf } from '../../kit/path';
import { textOf } from '../../kit/scalar';
import { wrappedList } from '../../kit/wrapped-list';
import { wantedLanguages } from './languages';

const tagsAt = compilePath('tags.tag');

/** The photos of a property by the number of their `id` (10 comes after 9); floor plans are no photos. */
export function imagesOf(record: XmlRecord, context: RecordContext): PhotoSource[] {
  const languages = wantedLanguages(context);
  return wrappedList(record['images'], 'image')
    .map((image, index) => ({ image, order: orderOf(image) ?? index + 1 }))
    .sort((a, b) => a.order - b.order)
    .filter(({ image }) => !isFloorPlan(image))
    .map(({ image }) => {
      if (typeof image === 'string') return { value: image };
      const { url, title } = (image ?? {}) as { url?: unknown; title?: unknown };
      return { value: textOf(url) ?? textOf(image), legende: byLanguage(title, languages) };
    });
}

function orderOf(image: unknown): number | undefined {
  const order = Number((image as { '@id'?: unknown } | null)?.['@id']);
  return Number.isFinite(order) ? order : undefined;
}

function isFloorPlan(image: unknown): boolean {
  return listOf(tagsAt(image)).some((tag) => /^floor[-_ ]?plans?$/i.test(textOf(tag) ?? ''));
}
