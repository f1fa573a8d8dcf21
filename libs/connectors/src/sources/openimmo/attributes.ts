import { toFlag } from '../../kit/clean/flag';
import { listOf } from '../../kit/path';
import { scalarOf } from '../../kit/scalar';

/** An attribute of an element, by its name in the schema or in lower case. */
export function attributeOf(element: unknown, name: string): unknown {
  const one = listOf(element)[0];
  if (typeof one !== 'object' || one === null) return undefined;
  const attributes = one as Readonly<Record<string, unknown>>;
  return attributes[`@${name}`] ?? attributes[`@${name.toLowerCase()}`];
}

/** The attributes that say yes, in upper case: one that is there with `false` says no. */
export function trueAttributes(element: unknown): string[] {
  const names: string[] = [];
  for (const one of listOf(element)) {
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, value] of Object.entries(one)) {
      if (name.startsWith('@') && toFlag(scalarOf(value)) === true) names.push(name.slice(1).toUpperCase());
    }
  }
  return names;
}

/** Whether an element has attributes, all of which say no. */
export function saysNo(element: unknown): boolean {
  const values = listOf(element).flatMap((one) =>
    typeof one === 'object' && one !== null ? Object.entries(one).flatMap(([name, value]) => (name.startsWith('@') ? [value] : [])) : [],
  );
  return values.length > 0 && values.every((value) => toFlag(scalarOf(value)) === false);
}
