import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';
import { parseWholeNumber } from '../options/values';
import { renderShownRun } from '../render/shown-run';
import { cancelRun, decideRun, loadShownRun, publishChangedMappings } from '@passerelle/operations';
import { addCommand } from './command';

export function addRunShow(run: Command, context: CommandContext): void {
  addCommand(
    run,
    'show <id>',
    'Shows a run with the verdict of the gate, its warnings and the decisions about it.',
    'run show 12',
  )
    .option('--all', 'lists every listing that a held run would change, not only the first 50 of each kind')
    .action(async (idText: string, { all = false }: { all?: boolean }) => {
      await showRun(context, parseRunId(idText), all);
    });
}

interface DecisionOptions {
  reason: string;
  by?: string;
}

export function addRunPublishAll(run: Command, context: CommandContext): void {
  addCommand(
    run,
    'publish-all',
    'Publishes all runs that are held only for mapping_changed: the listings that leave are sold, let or withdrawn.',
    'run publish-all --reason "version 1.0: sold listings leave"',
  )
    .requiredOption('--reason <text>', 'why; kept with each run')
    .action(async (options: { reason: string }) => {
      const reason = nonBlank('--reason', options.reason);
      const database = await context.openDatabase();
      const { published, refused } = await publishChangedMappings(database, await context.actor(), reason);
      context.answer({
        json: { published, refused },
        text: () =>
          [`published ${published.length} runs`, ...refused.map(({ run: id, why }) => `run ${id}: ${why}`)].join('\n'),
      });
    });
}

export function addRunPublish(run: Command, context: CommandContext): void {
  addDecision(run, context, {
    name: 'publish',
    sentence: 'Publishes a held run, unless a newer run was published since.',
    exampleReason: 'the agency closed its second office',
  });
}

export function addRunDiscard(run: Command, context: CommandContext): void {
  addDecision(run, context, {
    name: 'discard',
    sentence: 'Discards a held run permanently.',
    exampleReason: 'half of an export, the CRM confirms',
  });
}

function addDecision(
  run: Command,
  context: CommandContext,
  { name, sentence, exampleReason }: { name: 'publish' | 'discard'; sentence: string; exampleReason: string },
): void {
  addCommand(run, `${name} <id>`, sentence, `run ${name} 12 --reason "${exampleReason}"`)
    .requiredOption('--reason <text>', 'why; kept with the run')
    // An earlier name of --as.
    .addOption(new Option('--by <name>').hideHelp())
    .action(async (idText: string, options: DecisionOptions) => {
      const id = parseRunId(idText);
      const reason = nonBlank('--reason', options.reason);
      const by = options.by === undefined ? null : nonBlank('--by', options.by);
      const actor = await context.actor();
      const database = await context.openDatabase();
      await decideRun(database, { ...actor, name: by ?? actor.name }, await context.run(id), name, reason);
      await showRun(context, id);
    });
}

export function addRunCancel(run: Command, context: CommandContext): void {
  addCommand(run, 'cancel <id>', 'Stops a run that is queued or running.', 'run cancel 12').action(
    async (idText: string) => {
      const id = parseRunId(idText);
      await cancelRun(await context.openDatabase(), await context.actor(), await context.run(id));
      await showRun(context, id);
    },
  );
}

async function showRun(context: CommandContext, id: number, isWhole = false): Promise<void> {
  const shown = await loadShownRun(await context.openDatabase(), await context.run(id), isWhole ? 'all' : 'first');
  context.answer({ json: shown, text: (renderOptions) => renderShownRun(renderOptions, shown) });
}

function parseRunId(text: string): number {
  return parseWholeNumber('ID', text);
}

function nonBlank(option: string, text: string): string {
  if (text.trim() === '') throw new UsageError(`${option} needs a text`);
  return text.trim();
}
