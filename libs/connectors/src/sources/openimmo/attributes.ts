import { toFlag } from '../../kit/clean/fold-word';
import { listOf, scalarOf } from '../../kit/values';

/** An attribute of an element, by its name in the schema or in lower case. */
export function attributeOf(element: unknown, name: string): unknown {
  const one = listOf(element)[0];
  if (typeof one !== 'object' || one === null) return undefined;
  const attributes = one as Readonly<Record<string, unknown>>;
  return attributes[`@${name}`] ?? attributes[`@${name.toLowerCase()}`];
}

/** The names of the attributes with a yes, in upper case. `false` means no. */
export function trueAttributes(element: unknown): string[] {
  return attributesOf(element).flatMap(([name, value]) =>
    toFlag(scalarOf(value)) === true ? [name.toUpperCase()] : [],
  );
}

/** Whether an element has attributes and all of them are `false`. */
export function saysNo(element: unknown): boolean {
  const attributes = attributesOf(element);
  return attributes.length > 0 && attributes.every(([, value]) => toFlag(scalarOf(value)) === false);
}

/** The attributes of an element by name, without the leading `@`. */
function attributesOf(element: unknown): [string, unknown][] {
  const attributes: [string, unknown][] = [];
  for (const one of listOf(element)) {
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, value] of Object.entries(one as Readonly<Record<string, unknown>>)) {
      if (name.startsWith('@')) attributes.push([name.slice(1), value]);
    }
  }
  return attributes;
}
