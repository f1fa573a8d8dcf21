import { FIELD_GROUPS, type FieldGroup, type GroupedField } from '@passerelle/domain';
import type { Verb } from './verb';
import { absent } from './verbs';

/**
 * Says why a format lacks the fields that its mapping does not answer: one usual reason, and special reasons for some
 * groups. It is the first line of a mapping, so that the answers after it replace it: `...absentGroups('not in the
 * format', { 'specific to French law': ['frenchLaw'] })`. The reasons are for readers.
 *
 * @throws Error when a group has two reasons.
 */
export function absentGroups(
  usual: string,
  groupsByReason: Readonly<Record<string, readonly FieldGroup[]>> = {},
): Readonly<Record<GroupedField, Verb<unknown, never>>> {
  const named = Object.values(groupsByReason).flat();
  const twice = named.find((group, index) => named.indexOf(group) !== index);
  if (twice !== undefined) throw new Error(`the group of fields ${twice} has two reasons to be absent`);
  const fieldsOf = (groups: readonly FieldGroup[]): readonly GroupedField[] =>
    groups.flatMap((group) => FIELD_GROUPS[group]);
  const answers = Object.entries(groupsByReason).map(([reason, groups]) => absent(reason, ...fieldsOf(groups)));
  const all = absent(usual, ...fieldsOf(Object.keys(FIELD_GROUPS) as FieldGroup[]));
  return Object.assign({}, all, ...answers) as typeof all;
}
