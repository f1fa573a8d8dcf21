import type { Command } from 'commander';
import { CommandContext } from '../../apps/ops/src/command-context';
import { buildProgram } from '../../apps/ops/src/program';
import type { Terminal } from '../../apps/ops/src/terminal';
import { expectSection, markdownTable } from '../support/generated-section';

const TERMINAL: Terminal = {
  out: () => undefined,
  err: () => undefined,
  ...{ isOutTty: false, isErrTty: false, columns: 100, user: 'nobody', now: () => new Date() },
  confirm: () => Promise.resolve(false),
  readInput: () => Promise.resolve(Buffer.alloc(0)),
  catchInterrupt: () => new AbortController().signal,
};

/** The commands below a command, each with its description. A group is replaced by its commands. */
function commandsOf(parent: Command, path: readonly string[] = []): string[][] {
  return parent.commands.flatMap((command) => {
    const names = [...path, command.name()];
    if (command.commands.length > 0) return commandsOf(command, names);
    return [[`\`${names.join(' ')}\``, command.description().split('\n')[0] ?? '']];
  });
}

it('docs/operations.md lists each operator command with its description', async () => {
  const program = await buildProgram(new CommandContext({}, TERMINAL, () => Promise.resolve([])), [], false);
  const rows = commandsOf(program);
  expect(rows.filter(([, sentence]) => sentence === '')).toEqual([]);
  expectSection('docs/operations.md', 'commands', markdownTable(['command', ''], rows));
});
