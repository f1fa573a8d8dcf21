import type { Command } from 'commander';
import { parseWholeNumber } from '../options/whole-number';
import { type RejectionView, toRejectionView } from '../rejection-view';
import type { Session } from '../session';
import { type Column, renderTable } from '../show/table';
import { findRun } from './run';
import { addWord } from './word';

const COLUMNS: Column<RejectionView>[] = [
  { title: 'POSITION', value: ({ position }) => position, align: 'right' },
  { title: 'ID', value: ({ id }) => id },
  { title: 'FIELD', value: ({ field }) => field },
  { title: 'REASON', value: ({ reason }) => reason, tone: ({ reason }) => (reason === 'withdrawn' ? 'faint' : 'warn') },
  { title: 'MESSAGE', value: ({ message }) => message },
  { title: 'EXCERPT', value: ({ excerpt }) => excerpt, tone: () => 'faint' },
];

export function addRejections(program: Command, session: Session): void {
  addWord(program, 'rejections', 'Lists the records of a run that became no listing, and why.', 'rejections --run 12')
    .requiredOption('--run <id>', 'the run')
    .action(async ({ run: runText }: { run: string }) => {
      const run = await findRun(session, parseWholeNumber('--run', runText));
      const database = await session.openDatabase();
      const views = (await database.runs.rejections(run.id)).map(toRejectionView);
      session.answer({
        json: views,
        text: (look) => renderTable(look, COLUMNS, views, `run ${run.id} rejected nothing`),
      });
    });
}
