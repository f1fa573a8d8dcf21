import type { Command } from 'commander';
import { parseWholeNumber } from '../options/whole-number';
import type { Session } from '../session';
import { renderRuns } from '../show/runs';
import { WrongUse } from '../failures';
import { addWord } from './word';

const DEFAULT_LIMIT = '20';
const MOST = 10_000;

interface RunsOptions {
  crm?: string;
  client?: string;
  limit: string;
}

export function addRuns(program: Command, session: Session): void {
  addWord(program, 'runs', 'Lists runs, the newest first.', 'runs --crm kyero --client agence-du-port --limit 5')
    .option('--crm <code>', 'with --client: only those of one gateway')
    .option('--client <slug>', 'with --crm: only those of one gateway')
    .option('--limit <n>', 'so many at most', DEFAULT_LIMIT)
    .action(async ({ crm, client, limit: limitText }: RunsOptions) => {
      const limit = parseWholeNumber('--limit', limitText, MOST);
      if ((crm === undefined) !== (client === undefined)) throw new WrongUse('--crm and --client go together');
      const gateway = crm === undefined || client === undefined ? null : await session.gateway(crm, client);
      const database = await session.openDatabase();
      const runs = await database.runs.list({ limit, ...(gateway !== null && { gatewayId: gateway.id }) });
      session.answer({ json: runs, text: (look) => renderRuns(look, runs) });
    });
}
