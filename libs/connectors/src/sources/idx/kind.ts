import type { IdxRow } from '../../formats/idx-rows';
import { CATEGORIES, type ObjectKind, TYPES } from './lookups';

export function kindOf(row: IdxRow): ObjectKind | undefined {
  const type = row[3]?.trim() ?? '';
  return TYPES[`${categoryOf(row)} ${type.replace(/^0+(?=\d)/, '')}`] ?? CATEGORIES.find(row[2] ?? '');
}

export function categoryOf(row: IdxRow): string {
  return row[2]?.trim().toUpperCase() ?? '';
}
