import { Command, type CommanderError } from 'commander';
import type { CommandContext } from './command-context';
import { addCommand, CALL } from './commands/command';
import { COMMANDS, type CommandTable } from './commands/command-table';
import { sentenceOf } from './errors';

/**
 * The command that the arguments ask for, with all above it; every command when they ask for none that there is, for
 * then help or an error shows them. It throws where commander would end the process.
 */
export async function buildProgram(
  context: CommandContext,
  argv: readonly string[],
  isJson: boolean,
): Promise<Command> {
  const { terminal } = context;
  const program = new Command(CALL)
    .description("The operators' command line of Passerelle.")
    .option('--json', 'prints one JSON value')
    .option('--as <name>', 'who works, for the audit (default: OPS_USER, else your account on this machine)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        terminal.out(text);
      },
      // Help that is shown for want of a command; errors are thrown, and reported where they are caught.
      writeErr: (text) => {
        if (!isJson) terminal.err(text);
      },
      outputError: () => undefined,
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
    })
    .exitOverride();
  // The only options that commander takes ahead of a command's name, or between the names.
  const names = argv.filter(
    (argument, index) => argument !== '--json' && !/^--as(=|$)/.test(argument) && argv[index - 1] !== '--as',
  );
  await addCommands(program, COMMANDS, names, context);
  return program;
}

/** Who `--as` says that works here; null where it says nothing. */
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

/** One sentence, with the names that would have been right. */
export function describeParseError(error: CommanderError, program: Command, argv: readonly string[]): string {
  const command = deepestCommand(program, argv);
  const names = command.commands.map((subcommand) => subcommand.name()).join(', ');
  if (error.code === 'commander.help') return `a word is missing; there are: ${names}`;
  const message = sentenceOf(error).replace(/^error: /, '');
  if (error.code === 'commander.unknownCommand') return `${message}; there are: ${names}`;
  if (error.code === 'commander.unknownOption') return `${message}; there are: ${optionsOf(command)}`;
  return message;
}

/** The command that the arguments lead to, as far as they are known. */
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
