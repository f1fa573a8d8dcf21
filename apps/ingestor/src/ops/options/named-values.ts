import { WrongUse } from '../failures';

/** Names that an option understands, each with a sentence. */
export type KnownNames = Readonly<Record<string, string>>;

/**
 * The pairs of a repeated `name=value` option. A value may hold anything, also `=`; it is never repeated in an error,
 * for it may be a secret.
 *
 * @throws WrongUse naming the option and the names that are allowed.
 */
export function parseNamedValues(option: string, texts: readonly string[], known: KnownNames): Record<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = splitAtEquals(option, text);
    assertKnown(option, name, known);
    if (values.has(name)) throw new WrongUse(`${option} ${name} is given twice`);
    if (value === '') throw new WrongUse(`${option} ${name} has no value`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** @throws WrongUse */
function assertKnown(option: string, name: string, known: KnownNames): void {
  if (Object.hasOwn(known, name)) return;
  const names = Object.keys(known);
  const allowed = names.length === 0 ? 'this connector takes none' : `allowed: ${names.join(', ')}`;
  throw new WrongUse(`${option} does not know "${name}"; ${allowed}`);
}

function splitAtEquals(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new WrongUse(`${option} takes name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}
