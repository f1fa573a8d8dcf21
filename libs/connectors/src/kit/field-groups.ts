import { FIELD_GROUPS, type FieldGroup, type GroupedField } from '@passerelle/domain';
import type { Verb } from './verb';
import { absent } from './verbs';

/**
 * Gives the reason why a format lacks fields. Put it on the first line of a mapping, because later lines replace its
 * answers. @throws Error when a group has two reasons.
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
