import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { parseWholeNumber } from '../options/values';
import { type Column, renderTable } from '../render/table';
import { type RejectionView, toRejectionView } from '@passerelle/operations';
import { addCommand } from './command';

const COLUMNS: Column<RejectionView>[] = [
  { title: 'POSITION', value: ({ position }) => position, align: 'right' },
  { title: 'ID', value: ({ id }) => id },
  { title: 'FIELD', value: ({ field }) => field },
  { title: 'REASON', value: ({ reason }) => reason, tone: ({ reason }) => (reason === 'withdrawn' ? 'faint' : 'warn') },
  { title: 'MESSAGE', value: ({ message }) => message },
  { title: 'EXCERPT', value: ({ excerpt }) => excerpt, tone: () => 'faint' },
];

export function addRejections(program: Command, context: CommandContext): void {
  addCommand(program, 'rejections', 'Lists the records that a run rejected, and why.', 'rejections --run 12')
    .requiredOption('--run <id>', 'the run')
    .action(async ({ run: runText }: { run: string }) => {
      const run = await context.run(parseWholeNumber('--run', runText));
      const { runHistory } = await context.openDatabase();
      const views = (await runHistory.rejections(run.id)).map(toRejectionView);
      context.answer({
        json: views,
        text: (renderOptions) => renderTable(renderOptions, COLUMNS, views, `run ${run.id} rejected nothing`),
      });
    });
}
