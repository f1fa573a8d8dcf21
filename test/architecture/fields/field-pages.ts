import { FIELD_DEFINITIONS, type FieldDefinition } from '@passerelle/domain';
import type { MappedField } from '../../../libs/connectors/src/kit/verbs';
import { markdownTable } from '../../support/generated-section';
import type { FieldSource } from './field-sources';

const MOST_PATHS = 6;

const TYPES: Readonly<Record<Exclude<FieldDefinition['kind'], 'word'>, string>> = {
  text: 'text',
  language: 'text',
  url: 'address',
  day: 'ISO 8601 date',
  date: 'ISO 8601 date, with the time where the feed has it',
  number: 'number',
  integer: 'integer',
  amount: 'number',
  flag: '`true` or `false`',
  photos: 'list of [Photo](api.md#photo)',
  texts: 'object of [LanguageTexts](api.md#languagetexts)',
  words: 'list of texts',
  range: '`{ min, max }`, one of them at least',
  periodic: '`{ montant, periode }`',
  links: 'list of [Link](api.md#link)',
  energy: 'list of [EnergyFigure](api.md#energyfigure)',
  mentions: 'list of [Mention](api.md#mention)',
  facts: 'list of [MaterialFact](api.md#materialfact)',
};

/** Name, type, unit and meaning of every field of a listing. */
export function fieldsTable(): string {
  const rows = Object.entries<FieldDefinition>(FIELD_DEFINITIONS).map(([name, definition]) => [
    `\`${name}\`${definition.isCore === true ? ' *core*' : ''}`,
    definition.kind === 'word' ? definition.values.map((value) => `\`${value}\``).join(', ') : TYPES[definition.kind],
    definition.unit ?? (['amount', 'periodic'].includes(definition.kind) ? '`prixCurrency`' : ''),
    definition.description,
  ]);
  return markdownTable(['field', 'type', 'unit', 'meaning'], rows);
}

/** The page of a connector: the source of each field, and the reason for each missing field. */
export function connectorPage(code: string, label: string, sources: ReadonlyMap<MappedField, FieldSource>): string {
  const all = [...sources];
  const read = all.filter(([, { isAbsent }]) => !isAbsent).map(([field, source]) => [`\`${field}\``, cellOf(source)]);
  const absent = new Map<string, string[]>();
  for (const [field, { absence }] of all) {
    if (absence !== undefined) absent.set(absence, [...(absent.get(absence) ?? []), `\`${field}\``]);
  }
  const reasons = [...absent].map(([reason, fields]) => [reason, fields.join(' ')]);
  return (
    [
      `# ${code}: ${label}`,
      `How to add a gateway, and facts about the format: [the connector's README](../../libs/connectors/src/sources/${code}/README.md). The ` +
        'meaning of each field: [data-model.md](../data-model.md).',
      'Paths are those of the feed; numbers are columns of a row; names *in italics* are settings of the gateway, or values outside the records; ' +
        '`fixed` is always the same value.',
      markdownTable(['field', 'read from'], read),
      ...(reasons.length === 0
        ? []
        : ['## Fields that it does not have', markdownTable(['reason', 'fields'], reasons)]),
    ].join('\n\n') + '\n'
  );
}

function cellOf(source: FieldSource): string {
  const paths = ranges(withoutParents(source.paths)).map((path) => `\`${path}\``);
  const shown =
    paths.length > MOST_PATHS
      ? [...paths.slice(0, MOST_PATHS - 1), `and ${paths.length - MOST_PATHS + 1} more`]
      : paths;
  const beside = withoutParents(source.beside).map((name) => `*\`${name}\`*`);
  return [...shown, ...beside].join(' ') || 'fixed';
}

/** Removes each path that has a longer path below it in the list. */
function withoutParents(paths: readonly string[]): string[] {
  return paths.filter((path) => path !== '*' && !paths.some((other) => other.startsWith(`${path}.`)));
}

/** Combines consecutive columns into a range, such as `85–93`. */
function ranges(paths: readonly string[]): string[] {
  const numbers = paths
    .filter((path) => /^\d+$/.test(path))
    .map(Number)
    .sort((a, b) => a - b);
  const made: string[] = paths.filter((path) => !/^\d+$/.test(path));
  for (let at = 0; at < numbers.length;) {
    let end = at;
    while (numbers[end + 1] === numbers[end]! + 1) end += 1;
    made.push(end - at < 2 ? numbers.slice(at, end + 1).join(' ') : `${numbers[at]}–${numbers[end]}`);
    at = end + 1;
  }
  return made;
}
