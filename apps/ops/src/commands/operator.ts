import type { Operator } from '@passerelle/database';
import { OPERATOR_ROLES } from '@passerelle/domain';
import {
  addOperator,
  changePassword,
  linkOperator,
  parseDuration,
  removeOperator,
  setOperatorDisabled,
  setRole,
} from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { parseWord } from '../options/values';
import type { RenderOptions } from '../render/render-options';
import { localAndRelative } from '../render/figures';
import { renderTable } from '../render/table';
import { addCommand } from './command';

export function addOperatorAdd(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'add <name>',
    'Adds an operator who may sign in to the console, and prints the password; it is shown only once.',
    'operator add cmartin --role operator',
  )
    .requiredOption('--role <role>', `the role: ${OPERATOR_ROLES.join(', ')}`)
    .action(async (name: string, { role: roleText }: { role: string }) => {
      const role = parseWord('--role', roleText, OPERATOR_ROLES);
      const password = await addOperator(await context.openDatabase(), await context.actor(), name, role);
      context.answer({
        json: { name, role, password },
        text: () => `${name} is added as ${role}; the password, shown only once:\n${password}`,
      });
    });
}

export function addOperatorPasswd(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'passwd <name>',
    'Prints a new password for an operator, shown only once, and ends their sessions.',
    'operator passwd cmartin',
  ).action(async (name: string) => {
    const password = await changePassword(await context.openDatabase(), await context.actor(), name);
    context.answer({
      json: { name, password },
      text: () => `the new password of ${name}, shown only once:\n${password}`,
    });
  });
}

export function addOperatorDisable(parent: Command, context: CommandContext): void {
  addAbility(
    parent,
    context,
    'disable',
    'Disables an operator: ends their sessions immediately and refuses to sign them in.',
    true,
  );
}

export function addOperatorEnable(parent: Command, context: CommandContext): void {
  addAbility(parent, context, 'enable', 'Lets a disabled operator sign in again.', false);
}

function addAbility(
  parent: Command,
  context: CommandContext,
  name: 'enable' | 'disable',
  sentence: string,
  isDisabled: boolean,
): void {
  addCommand(parent, `${name} <name>`, sentence, `operator ${name} cmartin`).action(async (who: string) => {
    const database = await context.openDatabase();
    await setOperatorDisabled(database, await context.actor(), who, isDisabled);
    context.answer({ json: { name: who, disabled: isDisabled }, text: () => `${who} is ${name}d` });
  });
}

export function addOperatorRole(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'role <name>',
    'Gives an operator another role, from the next request on.',
    'operator role cmartin --role admin',
  )
    .requiredOption('--role <role>', `the role: ${OPERATOR_ROLES.join(', ')}`)
    .action(async (name: string, { role: roleText }: { role: string }) => {
      const role = parseWord('--role', roleText, OPERATOR_ROLES);
      await setRole(await context.openDatabase(), await context.actor(), name, role);
      context.answer({ json: { name, role }, text: () => `${name} is ${role} now` });
    });
}

export function addOperatorRemove(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'remove <name>',
    'Removes an operator and ends their sessions. The audit keeps the name.',
    'operator remove cmartin',
  ).action(async (name: string) => {
    await removeOperator(await context.openDatabase(), await context.actor(), name);
    context.answer({ json: { name, removed: true }, text: () => `${name} is removed` });
  });
}

export function addOperatorLink(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'link <name>',
    'Prints the path of a console page that signs an operator in without a password, once.',
    'operator link cmartin --for 10m',
  )
    .option('--for <duration>', 'how long it works: 10m, 2h', '10m')
    .action(async (name: string, { for: duration }: { for: string }) => {
      const seconds = parseDuration('--for', duration);
      const link = await linkOperator(await context.openDatabase(), await context.actor(), name, seconds);
      context.answer({ json: { name, ...link }, text: () => link.path });
    });
}

export function addOperatorList(parent: Command, context: CommandContext): void {
  addCommand(parent, 'list', 'Lists the operators of the console.', 'operator list').action(async () => {
    const operators = await (await context.openDatabase()).operators.list();
    context.answer({
      json: operators.map(({ name, role, disabledAt, createdAt, signedInAt }) => ({
        ...{ name, role, disabled_at: disabledAt, created_at: createdAt, signed_in_at: signedInAt },
      })),
      text: (options) => renderOperators(options, operators),
    });
  });
}

function renderOperators(options: RenderOptions, operators: readonly Operator[]): string {
  return renderTable(
    options,
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'ROLE', value: ({ role }) => role },
      { title: 'SIGNED IN', value: ({ signedInAt }) => localAndRelative(signedInAt, options.now) },
      { title: 'STATE', value: ({ disabledAt }) => (disabledAt === null ? 'active' : 'disabled') },
    ],
    operators,
    'no operators',
  );
}
