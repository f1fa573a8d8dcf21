import { type Command, CommanderError } from 'commander';
import { type Connector, loadRegistry } from '@passerelle/connectors';
import { sentenceOf, WrongUse } from './failures';
import type { Environment, OpsIo } from './io';
import type { Outcome } from './outcome';
import { buildProgram } from './program';
import { Session } from './session';
import { lookOf, paint } from './show/look';

const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

/**
 * One command of the operators' line, from its words to its exit code. With `--json` exactly one JSON value goes to
 * stdout, whatever happens; without it, errors are one line on stderr.
 */
export async function runOps(
  argv: readonly string[],
  env: Environment,
  io: OpsIo,
  loadConnectors: () => Promise<readonly Connector[]> = loadRegistered,
): Promise<number> {
  const isJson = argv.includes('--json');
  const session = new Session(env, io, loadConnectors);
  const program = buildProgram(session, isJson);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return session.outcome === null ? EXIT.done : printOutcome(session.outcome, session, isJson);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const failure = describeFailure(error, program, argv);
    // Without a word the help has been shown already.
    const isHelpShown = !isJson && error instanceof CommanderError && error.code === 'commander.help';
    if (!isHelpShown) printFailure(failure.message, session, isJson);
    return failure.exitCode;
  } finally {
    await session.close();
  }
}

async function loadRegistered(): Promise<readonly Connector[]> {
  return (await loadRegistry()).list();
}

function printOutcome(outcome: Outcome, { io, env }: Session, isJson: boolean): number {
  io.out(`${isJson ? toJson(outcome.json) : outcome.text(lookOf(io, env))}\n`);
  if (outcome.failure === undefined) return EXIT.done;
  if (!isJson) printFailure(outcome.failure, { io, env }, false);
  return EXIT.failed;
}

function printFailure(message: string, { io, env }: Pick<Session, 'io' | 'env'>, isJson: boolean): void {
  if (isJson) io.out(`${toJson({ error: message })}\n`);
  else io.err(`${paint({ hasColours: io.isErrTty && !env['NO_COLOR'] }, 'bad', 'error:')} ${message}\n`);
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function describeFailure(
  error: unknown,
  program: Command,
  argv: readonly string[],
): { message: string; exitCode: number } {
  if (error instanceof WrongUse) return { message: sentenceOf(error), exitCode: EXIT.wrongUse };
  if (!(error instanceof CommanderError)) return { message: sentenceOf(error), exitCode: EXIT.failed };
  return { message: describeCommanderError(error, program, argv), exitCode: EXIT.wrongUse };
}

function describeCommanderError(error: CommanderError, program: Command, argv: readonly string[]): string {
  const command = deepestCommand(program, argv);
  const words = command.commands.map((word) => word.name()).join(', ');
  if (error.code === 'commander.help') return `a word is missing; there are: ${words}`;
  const message = sentenceOf(error).replace(/^error: /, '');
  if (error.code === 'commander.unknownCommand') return `${message}; there are: ${words}`;
  if (error.code === 'commander.unknownOption') return `${message}; there are: ${optionsOf(command)}`;
  return message;
}

/** The command that the words of the line lead to, as far as they are known. */
function deepestCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next !== undefined) command = next;
  }
  return command;
}

function optionsOf(command: Command): string {
  return [...command.options.map(({ long }) => long), '--json', '--help'].join(', ');
}
