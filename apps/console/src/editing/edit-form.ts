import type { GatewayEdit } from '@passerelle/domain';
import {
  assertCredentials,
  collectBadValues,
  type GatewayRow,
  normalizeSettings,
  parseCalendarDate,
  parseDuration,
  parseSourceUrl,
  type SourceChecks,
  type SourcePolicy,
} from '@passerelle/operations';
import { type AddableConnector, type AddField, fieldsOf, type Typed } from '../connectors/add-form';
import { digestShown } from '../layout/digest';

/** The fields of a connector's gateways, without the name, which never changes. A source is required only at first. */
export function editFieldsOf(connector: AddableConnector): AddField[] {
  return fieldsOf(connector)
    .filter(({ option }) => option !== 'client')
    .map((field) => ({ ...field, isRequired: false }));
}

/** The values that the form shows first: secret values are left out, and an empty field keeps them. */
export function shownValues(fields: readonly AddField[], row: GatewayRow): Typed {
  return new Map(fields.map(({ id, option, name }) => [id, shownValue(row, option, name)]));
}

function shownValue({ settings, everySeconds, contractEnd }: GatewayRow, option: string, name: string | null): string {
  if (option === 'set' && name !== null) {
    const value = settings?.[name] ?? '';
    return isMasked(value) ? '' : value;
  }
  if (option === 'every') return everySeconds === null ? '' : durationOf(everySeconds);
  return option === 'contract-end' ? (contractEnd ?? '') : '';
}

/** Whether a value is shown without its secret parts. */
export function isMasked(value: string): boolean {
  return value.includes('***');
}

/** `50m`, `2h`, `1d`, as a form takes it. */
function durationOf(seconds: number): string {
  const [unit, size] = (
    [
      ['d', 86_400],
      ['h', 3_600],
      ['m', 60],
    ] as const
  ).find(([, one]) => seconds % one === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/** A digest of the values that a form shows; it differs if the gateway was changed meanwhile. */
export function editDigest({ sourceUrl, settings, hasCredentials, everySeconds, contractEnd }: GatewayRow): string {
  return digestShown([sourceUrl, settings, hasCredentials, everySeconds, contractEnd]);
}

export interface Removals {
  /** Whether all credentials are removed. */
  credentials: boolean;
  /** Settings that are removed although their values are not shown. */
  settings: readonly string[];
}

/** The values that differ from the stored ones. @throws BadValues, which names all invalid fields and contains no secret */
export function parseEdit(
  { declaration }: AddableConnector,
  fields: readonly AddField[],
  typed: Typed,
  removed: Removals,
  row: GatewayRow,
  policy: SourcePolicy & SourceChecks,
): GatewayEdit {
  const given = (id: string): string => typed.get(id) ?? '';
  const named = (option: string) =>
    fields.flatMap((field) =>
      field.option === option && field.name !== null ? [{ id: field.id, name: field.name }] : [],
    );
  const credentials = Object.fromEntries(
    named('credential').flatMap(({ id, name }) => (given(id) === '' ? [] : [[name, given(id)]])),
  );
  const hasCredentials = Object.keys(credentials).length > 0;
  const typedSettings = Object.fromEntries(
    named('set').flatMap(({ id, name }) => (given(id) === '' ? [] : [[name, given(id)]])),
  );
  const [source, , settings, every, end] = collectBadValues(
    () => (given('source') === '' ? undefined : parseSourceUrl(given('source'), declaration, policy)),
    () => {
      if (hasCredentials) assertCredentials(credentials, declaration, policy);
    },
    () => normalizeSettings(typedSettings),
    () => (given('every') === '' ? null : parseDuration('--every', given('every'))),
    () => (given('contract-end') === '' ? null : parseCalendarDate('--contract-end', given('contract-end'))),
  );
  const stored = row.settings ?? {};
  const changed = Object.entries(settings).filter(([name, value]) => stored[name] !== value);
  const unset = named('set').flatMap(({ name }) => {
    const value = stored[name];
    if (value === undefined || name in settings) return [];
    return !isMasked(value) || removed.settings.includes(name) ? [name] : [];
  });
  const edit: GatewayEdit = {};
  if (source !== undefined) edit.source = source;
  if (hasCredentials) edit.credentials = credentials;
  else if (removed.credentials && row.hasCredentials) edit.credentials = null;
  if (changed.length > 0) edit.settings = Object.fromEntries(changed);
  if (unset.length > 0) edit.unsetSettings = unset;
  if (every !== row.everySeconds) edit.everySeconds = every;
  if (end !== row.contractEnd) edit.contractEnd = end;
  return edit;
}
