import type { Command } from 'commander';
import type { RunView } from '@passerelle/domain';
import { Refused, WrongUse } from '../failures';
import { parseWholeNumber } from '../options/whole-number';
import { loadShownRun } from '../run-view';
import type { Session } from '../session';
import { renderShownRun } from '../show/shown-run';
import { addWord } from './word';

export function addRunWords(program: Command, session: Session): void {
  const run = addWord(program, 'run', 'Shows one run, and decides about it.', 'run show 12');
  addShow(run, session);
  addDecision(run, session, {
    name: 'publish',
    sentence: 'Publishes what a held run holds back, if nothing else was published since.',
    reason: 'the agency closed its second office',
  });
  addDecision(run, session, {
    name: 'discard',
    sentence: 'Puts a held run aside for good.',
    reason: 'half of an export, the CRM confirms',
  });
  addCancel(run, session);
}

function addShow(run: Command, session: Session): void {
  addWord(run, 'show <id>', 'Shows a run with its verdict, its warnings and who decided what.', 'run show 12').action(
    async (idText: string) => {
      await showRun(session, parseRunId(idText));
    },
  );
}

interface DecisionOptions {
  reason: string;
  by?: string;
}

function addDecision(
  run: Command,
  session: Session,
  word: { name: 'publish' | 'discard'; sentence: string; reason: string },
): void {
  addWord(run, `${word.name} <id>`, word.sentence, `run ${word.name} 12 --reason "${word.reason}"`)
    .requiredOption('--reason <text>', 'why; kept with the run')
    .option('--by <name>', 'who decides (default: your account on this machine)')
    .action(async (idText: string, options: DecisionOptions) => {
      const id = parseRunId(idText);
      const decision = {
        by: nonBlank('--by', options.by ?? session.io.user),
        reason: nonBlank('--reason', options.reason),
      };
      const database = await session.openDatabase();
      if (word.name === 'publish') await database.publishHeld(id, decision);
      else await database.discardHeld(id, decision);
      await showRun(session, id);
    });
}

function addCancel(run: Command, session: Session): void {
  addWord(run, 'cancel <id>', 'Stops a run that is queued or running.', 'run cancel 12').action(
    async (idText: string) => {
      const id = parseRunId(idText);
      const { runs } = await session.openDatabase();
      if (!(await runs.requestCancel(id))) {
        const { state } = await findRun(session, id);
        throw new Refused(`run ${id} is over: it is ${state}`);
      }
      await showRun(session, id);
    },
  );
}

async function showRun(session: Session, id: number): Promise<void> {
  const shown = await loadShownRun(await session.openDatabase(), await findRun(session, id));
  session.answer({ json: shown, text: (look) => renderShownRun(look, shown) });
}

/** @throws Refused */
export async function findRun(session: Session, id: number): Promise<RunView> {
  const { runs } = await session.openDatabase();
  const run = await runs.find(id);
  if (run === null) throw new Refused(`there is no run ${id}`);
  return run;
}

function parseRunId(text: string): number {
  return parseWholeNumber('ID', text);
}

function nonBlank(option: string, text: string): string {
  if (text.trim() === '') throw new WrongUse(`${option} takes a text that says something`);
  return text.trim();
}
