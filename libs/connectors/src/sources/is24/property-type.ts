import type { XmlRecord } from '../../formats/xml-records';
import { inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { elementOf } from './format';
import { CATEGORIES, KINDS, type PropertyType } from './lookups';

/** Each kind of property has a different name for its category. */
const CATEGORY_AT = [
  ...['@WohnungKategorie', '@HausKategorie', '@WazKategorie', '@WGZimmerKategorie'],
  ...['@Objektkategorie2', '@ObjektKategorie2', 'Objektart'],
].map((path) => ({ path, read: compilePath(path) }));

function categoryOf(record: XmlRecord): { path: string; word: string } | undefined {
  for (const { path, read } of CATEGORY_AT) {
    const word = textOf(read(record));
    if (word !== undefined) return { path, word };
  }
  return undefined;
}

/** Undefined for an unknown element. */
export function propertyTypeOf(record: XmlRecord, context?: RecordContext): PropertyType | undefined {
  const element = elementOf(record);
  const kind = context === undefined ? KINDS.find(element) : lookUp(KINDS, element, 'element', context);
  const category = categoryOf(record);
  if (kind === undefined || category === undefined) return kind;
  const table = CATEGORIES[kind.group];
  const { word, path } = category;
  const found = context === undefined ? table.find(word) : lookUp(table, word, path, context);
  return typeof found === 'object' ? found : kind;
}

export function typeCodeOf(record: XmlRecord, context: RecordContext): PropertyType['code'] {
  return propertyTypeOf(record, context)?.code ?? 'autre';
}

/** The words of the source: `WohnungKauf, Loft`. */
export function typeCodeSourceOf(record: XmlRecord): string | undefined {
  const word = categoryOf(record)?.word;
  return inOneLine([elementOf(record), word !== undefined && /^keine\s?angabe$/i.test(word) ? undefined : word]);
}

export function isPlot(record: XmlRecord): boolean {
  return propertyTypeOf(record)?.code === 'terrain';
}
