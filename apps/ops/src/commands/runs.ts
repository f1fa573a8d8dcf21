import { RUN_STATES } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';
import { assertSlug } from '@passerelle/operations';
import { parseSince, parseWholeNumber, parseWord } from '../options/values';
import { renderRuns } from '../render/runs';
import { addCommand } from './command';

const DEFAULT_LIMIT = '20';
const MOST = 10_000;

interface RunsOptions {
  crm?: string;
  client?: string;
  limit: string;
  state?: string;
  since?: string;
}

export function addRuns(program: Command, context: CommandContext): void {
  addCommand(program, 'runs', 'Lists runs, the newest first.', 'runs --crm kyero --client agence-du-port --limit 5')
    .option('--crm <code>', 'only those of one connector')
    .option('--client <slug>', 'with --crm: only those of one gateway')
    .option('--state <state>', `only those that are ${RUN_STATES.join(', ')}`)
    .option('--since <time>', 'only those requested since: 90m, 12h, 7d ago, or YYYY-MM-DD (in UTC)')
    .option('--limit <n>', 'the largest number to list', DEFAULT_LIMIT)
    .action(async ({ crm, client, limit: limitText, state: stateText, since: sinceText }: RunsOptions) => {
      const state = stateText === undefined ? undefined : parseWord('--state', stateText, RUN_STATES);
      const limit = parseWholeNumber('--limit', limitText, MOST);
      const since = sinceText === undefined ? undefined : parseSince('--since', sinceText, context.terminal.now());
      if (crm === undefined && client !== undefined) throw new UsageError('--client needs --crm');
      if (crm !== undefined) assertSlug('--crm', crm);
      const gateway = crm === undefined || client === undefined ? null : await context.gateway(crm, client);
      const database = await context.openDatabase();
      const runs = await database.runHistory.list({
        limit,
        ...(gateway !== null && { gatewayId: gateway.id }),
        ...(gateway === null && crm !== undefined && { crm }),
        ...(state !== undefined && { state }),
        ...(since !== undefined && { since }),
      });
      context.answer({ json: runs, text: (renderOptions) => renderRuns(renderOptions, runs) });
    });
}
