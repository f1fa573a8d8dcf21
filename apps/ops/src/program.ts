import { Command, type CommanderError } from 'commander';
import type { CommandContext } from './command-context';
import { addCommand, CALL } from './commands/command';
import { COMMANDS, type CommandTable } from './commands/command-table';
import { sentenceOf } from './errors';

/** Contains the named command and its parents, or else every command. Throws errors instead of exiting. */
export async function buildProgram(
  context: CommandContext,
  argv: readonly string[],
  isJson: boolean,
): Promise<Command> {
  const { terminal } = context;
  const program = new Command(CALL)
    .description("The operators' command line of Passerelle.")
    .option('--json', 'prints one JSON value')
    .option('--as <name>', 'your name for the audit (default: OPS_USER, else your account on this machine)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        terminal.out(text);
      },
      // Prints only the help for a missing command, because the caller reports errors.
      writeErr: (text) => {
        if (!isJson) terminal.err(text);
      },
      outputError: () => undefined,
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
    })
    .exitOverride();
  // Commander accepts only `--json` and `--as` before a command's name, or between its words.
  const names = argv.filter(
    (argument, index) => argument !== '--json' && !/^--as(=|$)/.test(argument) && argv[index - 1] !== '--as',
  );
  await addCommands(program, COMMANDS, names, context);
  return program;
}

/** The operator that `--as` names; null without it. */
export function nameGiven(argv: readonly string[]): string | null {
  const at = argv.findIndex((argument) => /^--as(=|$)/.test(argument));
  if (at === -1) return null;
  return argv[at] === '--as' ? (argv[at + 1] ?? null) : argv[at]!.slice('--as='.length);
}

async function addCommands(
  parent: Command,
  table: CommandTable,
  [name, ...rest]: readonly string[],
  context: CommandContext,
): Promise<void> {
  const asked = table.filter((entry) => entry.name === name);
  for (const entry of asked.length > 0 ? asked : table) {
    if ('load' in entry) {
      const add = await entry.load();
      add(parent, context);
    } else {
      const group = addCommand(parent, entry.name, entry.sentence, entry.example);
      await addCommands(group, entry.commands, asked.length > 0 ? rest : [], context);
    }
  }
}

/** One sentence, with the names that would have been valid. */
export function describeParseError(error: CommanderError, program: Command, argv: readonly string[]): string {
  const command = deepestCommand(program, argv);
  const names = command.commands.map((subcommand) => subcommand.name()).join(', ');
  if (error.code === 'commander.help') return `a subcommand is missing; use one of: ${names}`;
  const message = sentenceOf(error).replace(/^error: /, '');
  if (error.code === 'commander.unknownCommand') return `${message}; there are: ${names}`;
  if (error.code === 'commander.unknownOption') return `${message}; there are: ${optionsOf(command)}`;
  return message;
}

/** The command that the known words of the arguments name. */
function deepestCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const argument of argv) {
    const next = command.commands.find((candidate) => candidate.name() === argument);
    if (next !== undefined) command = next;
  }
  return command;
}

function optionsOf(command: Command): string {
  return [...command.options.map(({ long }) => long), '--json', '--as', '--help'].join(', ');
}
