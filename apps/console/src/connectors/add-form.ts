import type { ConnectorRecord } from '@passerelle/domain';
import { GATEWAY_SETTINGS } from '@passerelle/domain';
import {
  assertCredentials,
  assertSlug,
  type BadValue,
  collectBadValues,
  type GatewayWish,
  normalizeSettings,
  parseCalendarDate,
  parseDuration,
  parseSourceUrl,
  type SourceChecks,
  type SourcePolicy,
} from '@passerelle/operations';
import { type Fields, textOf } from '../access/form';
import type { Declaration } from './known-connectors';

export type AddableConnector = ConnectorRecord & { declaration: Declaration };

/** A field of the form, named after the option of the command line. */
export interface AddField {
  /** `source`, `credential:token`, `set:langue`. */
  id: string;
  option: string;
  /** The name of a credential or of a setting. */
  name: string | null;
  sentence: string;
  isRequired: boolean;
}

/** Long enough for a key of several lines; a longer text is in the wrong field. */
const MOST_LENGTH = 16_384;

/** The fields of a connector's form, in order: the connector's own fields, then the fields of every gateway. */
export function fieldsOf({ declaration: { credentials, settings } }: AddableConnector): AddField[] {
  const plain = (option: string, isRequired = false): AddField => ({
    ...{ id: option, option, name: null, sentence: '', isRequired },
  });
  const named = (option: string, names: Readonly<Record<string, string>>): AddField[] =>
    Object.entries(names).map(([name, sentence]) => ({
      ...{ id: `${option}:${name}`, option, name, sentence, isRequired: false },
    }));
  return [
    ...[plain('client', true), plain('source', true)],
    ...named('credential', credentials),
    ...named('set', { ...settings, ...GATEWAY_SETTINGS }),
    ...[plain('every'), plain('contract-end')],
  ];
}

export type Typed = ReadonlyMap<string, string>;

export function typedOf(fields: readonly AddField[], body: Fields): Typed {
  return new Map(fields.map(({ id }) => [id, textOf(body, id, MOST_LENGTH)]));
}

/** Validates like the command line. @throws BadValues, which names all invalid fields and contains no secret. */
export function parseWish(
  { id: crm, declaration }: AddableConnector,
  fields: readonly AddField[],
  typed: Typed,
  policy: SourcePolicy & SourceChecks,
): GatewayWish {
  const given = (id: string): string => typed.get(id) ?? '';
  const valuesOf = (option: string): Record<string, string> =>
    Object.fromEntries(
      fields.flatMap((field) =>
        field.option === option && field.name !== null && given(field.id) !== '' ? [[field.name, given(field.id)]] : [],
      ),
    );
  const client = given('client');
  const credentials = valuesOf('credential');
  const [every, end] = [given('every'), given('contract-end')];
  const [, source, , settings, everySeconds, contractEnd] = collectBadValues(
    () => {
      assertSlug('--client', client);
    },
    () => parseSourceUrl(given('source'), declaration, policy),
    () => {
      assertCredentials(credentials, declaration, policy);
    },
    () => normalizeSettings(valuesOf('set')),
    () => (every === '' ? null : parseDuration('--every', every)),
    () => (end === '' ? null : parseCalendarDate('--contract-end', end)),
  );
  return { crm, client, source, credentials, settings, everySeconds, contractEnd };
}

export interface RefusedField {
  problem: string;
  fields: readonly string[];
}

export function refusedFields(fields: readonly AddField[], values: readonly BadValue[]): RefusedField[] {
  return values.map(({ field, problem }) => ({ problem, fields: badFields(fields, { field, problem }) }));
}

/** The fields with the error's option, or only those of them that the message names. */
function badFields(fields: readonly AddField[], { field, problem }: { field: string; problem: string }): string[] {
  const ofOption = fields.filter(({ option }) => option === field);
  const words = new Set(problem.split(/[^A-Za-z0-9-]+/));
  const named = ofOption.filter(({ name }) => name !== null && words.has(name));
  return (named.length > 0 ? named : ofOption).map(({ id }) => id);
}
