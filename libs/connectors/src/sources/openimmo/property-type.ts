import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, textOf } from '../../kit/values';
import { HOLIDAY_KINDS, type PropertyType, TYPES, TYPES_BY_KIND } from './lookups';

const objektart = compilePath('objektkategorie.objektart');

/** The content of `objektart`: the name of its child, and the kind in the child's attribute. */
export interface ObjectKind {
  name: string;
  kind?: string;
}

/** The first child of `objektart`, as in `<wohnung wohnungtyp="ETAGE"/>`. */
export function objectKindOf(record: XmlRecord): ObjectKind | undefined {
  const parent = listOf(objektart(record))[0];
  if (typeof parent !== 'object' || parent === null) {
    const word = textOf(parent);
    return word === undefined ? undefined : { name: word };
  }
  for (const [name, child] of Object.entries(parent)) {
    if (
      name.startsWith('@') ||
      name === '#text' ||
      name.startsWith('objektart_zusatz') ||
      name.startsWith('user_defined')
    )
      continue;
    const kind = kindOf(child);
    return kind === undefined ? { name } : { name, kind };
  }
  return undefined;
}

function kindOf(child: unknown): string | undefined {
  const one = listOf(child)[0];
  if (typeof one !== 'object' || one === null) return undefined;
  for (const [name, value] of Object.entries(one)) {
    const kind = name.startsWith('@') ? textOf(value) : undefined;
    if (kind !== undefined) return kind;
  }
  return undefined;
}

export function propertyTypeOf(found: ObjectKind | undefined): PropertyType | undefined {
  if (found === undefined) return undefined;
  return (
    (found.kind === undefined ? undefined : TYPES_BY_KIND.find(`${found.name} ${found.kind}`)) ?? TYPES.find(found.name)
  );
}

export function typeCodeOf(record: XmlRecord, context: RecordContext): PropertyType['code'] | undefined {
  const found = objectKindOf(record);
  if (found === undefined) return undefined;
  const known = propertyTypeOf(found);
  if (known === undefined) context.warn('unknown_word', 'objektkategorie.objektart', found.name.slice(0, 120));
  return known?.code ?? 'autre';
}

/** The type in the words of the source, such as `wohnung ETAGE`. */
export function typeCodeSourceOf(record: XmlRecord): string | undefined {
  const found = objectKindOf(record);
  return found === undefined ? undefined : [found.name, found.kind].filter((word) => word !== undefined).join(' ');
}

export function isPlot(record: XmlRecord): boolean {
  return propertyTypeOf(objectKindOf(record))?.code === 'terrain';
}

export function isHolidayHome(record: XmlRecord): boolean {
  return HOLIDAY_KINDS.has(objectKindOf(record)?.kind?.toUpperCase() ?? '');
}

export function isInvestment(record: XmlRecord): boolean {
  return objectKindOf(record)?.name === 'zinshaus_renditeobjekt';
}
