import type { Connector } from '@passerelle/connectors';
import { CommanderError } from 'commander';
import { CommandContext, type CommandResult } from './command-context';
import { BadValue } from '@passerelle/operations';
import { sentenceOf, UsageError } from './errors';
import { buildProgram, describeParseError, nameGiven } from './program';
import { paint, renderOptionsOf } from './render/render-options';
import type { Environment, Terminal } from './terminal';

const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

/** With `--json`, always prints one JSON value to stdout. Without `--json`, prints an error as one line to stderr. */
export async function runOps(
  argv: readonly string[],
  env: Environment,
  terminal: Terminal,
  loadConnectors: () => Promise<readonly Connector[]> = loadRegistered,
): Promise<number> {
  const isJson = argv.includes('--json');
  const context = new CommandContext(env, terminal, loadConnectors, nameGiven(argv));
  const program = await buildProgram(context, argv, isJson);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return context.result === null ? EXIT.done : printResult(context.result, context, isJson);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      printFailure(sentenceOf(error), context, isJson);
      return error instanceof UsageError || error instanceof BadValue ? EXIT.wrongUse : EXIT.failed;
    }
    if (error.exitCode === 0) return EXIT.done;
    // The help was already shown for a missing command.
    const isHelpShown = !isJson && error.code === 'commander.help';
    if (!isHelpShown) printFailure(describeParseError(error, program, argv), context, isJson);
    return EXIT.wrongUse;
  } finally {
    await context.close();
  }
}

async function loadRegistered(): Promise<readonly Connector[]> {
  const { loadConnectors } = await import('./registered-connectors.ts');
  return loadConnectors();
}

function printResult(result: CommandResult, { terminal, env }: CommandContext, isJson: boolean): number {
  terminal.out(`${isJson ? toJson(result.json) : result.text(renderOptionsOf(terminal, env))}\n`);
  if (result.failure === undefined) return EXIT.done;
  if (!isJson) printFailure(result.failure, { terminal, env }, false);
  return EXIT.failed;
}

function printFailure(
  message: string,
  { terminal, env }: Pick<CommandContext, 'terminal' | 'env'>,
  isJson: boolean,
): void {
  if (isJson) terminal.out(`${toJson({ error: message })}\n`);
  else terminal.err(`${paint({ hasColours: terminal.isErrTty && !env['NO_COLOR'] }, 'bad', 'error:')} ${message}\n`);
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
