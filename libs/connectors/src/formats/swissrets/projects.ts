import type { XmlRecord } from '../xml-records';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, textOf } from '../../kit/values';

export const PROJECT_ELEMENT = 'project';

const unitsAt = compilePath('units.unit');
const localizationsAt = compilePath('localizations.localization');
const localityAt = compilePath('address.locality');
const postcodeAt = compilePath('address.postalCode');
const newAt = compilePath('characteristics.isNewConstruction');
const TEXTS = ['name', 'excerpt', 'description'] as const;

/** Completes a property from its unit and its project. Its own values stay; the unit's name precedes the project's. */
export function withProject(record: XmlRecord, feed: RecordContext['feed']): XmlRecord {
  const reference = textOf(record['unitReferenceId']);
  if (reference === undefined) return record;
  for (const project of listOf(feed[PROJECT_ELEMENT])) {
    const unit = listOf(unitsAt(project)).find((one) => isNamed(one, reference));
    if (unit !== undefined) return completed(record, project as XmlRecord, unit as XmlRecord);
  }
  return record;
}

function isNamed(unit: unknown, reference: string): boolean {
  if (typeof unit !== 'object' || unit === null) return false;
  const { referenceId, '@id': id } = unit as Readonly<Record<string, unknown>>;
  return textOf(referenceId) === reference || textOf(id) === reference;
}

function completed(record: XmlRecord, project: XmlRecord, unit: XmlRecord): XmlRecord {
  const hasPlace = textOf(localityAt(record)) !== undefined || textOf(postcodeAt(record)) !== undefined;
  const own = listOf(localizationsAt(record));
  return {
    ...record,
    ...(!hasPlace && { address: project['address'] }),
    ...(record['seller'] === undefined && { seller: project['seller'] }),
    // The schema says that projects are new buildings.
    ...(newAt(record) === undefined && {
      characteristics: { ...(record['characteristics'] as object | undefined), isNewConstruction: 'applies' },
    }),
    localizations: {
      localization: [...own, ...missing(own, listOf(localizationsAt(unit)), listOf(localizationsAt(project)))],
    },
  };
}

/**
 * For each kind of text and for the attachments: those of the first parent that has some, unless the property has its
 * own.
 */
function missing(own: readonly unknown[], ...others: readonly (readonly unknown[])[]): Record<string, unknown>[] {
  return [...TEXTS, 'attachments'].flatMap((name) => {
    if (says(own, name)) return [];
    const first = others.find((localizations) => says(localizations, name)) ?? [];
    return first.map((texts) => ({ '@lang': memberOf(texts, '@lang'), [name]: memberOf(texts, name) }));
  });
}

function says(localizations: readonly unknown[], name: string): boolean {
  return localizations.some((texts) => {
    const value = memberOf(texts, name);
    return name === 'attachments' ? listOf(memberOf(value, 'image')).length > 0 : textOf(value) !== undefined;
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
