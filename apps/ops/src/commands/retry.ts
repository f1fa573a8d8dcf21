import type { RunView } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';

import { renderRuns } from '../render/runs';
import { actorOfMany, requestRun, assertSlug, isViewInState, toGatewayView } from '@passerelle/operations';
import { addCommand } from './command';

interface RetryOptions {
  failed?: true;
  crm?: string;
}

export function addRetry(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'retry',
    'Requests a run of every gateway that fails, and does not wait for it.',
    'retry --failed',
  )
    .option('--failed', 'all gateways whose newest run failed')
    .option('--crm <code>', 'only those of one connector')
    .action(async ({ failed, crm }: RetryOptions) => {
      if (failed !== true) throw new UsageError('retry needs --failed; "ingest" requests runs of other gateways');
      if (crm !== undefined) assertSlug('--crm', crm);
      const database = await context.openDatabase();
      const now = context.terminal.now();
      const terms = await context.freshnessTerms();
      const failing = (await database.gateways.list())
        .filter((gateway) => crm === undefined || gateway.crm === crm)
        // The source of a paused gateway is not read.
        .filter((gateway) => gateway.paused === null)
        .filter((gateway) => isViewInState(toGatewayView(gateway, now, terms), 'failing', now, terms));
      const many = { act: 'retry', gateways: failing.length } as const;
      const actor = await actorOfMany(database, await context.actor(), many);
      const runs: RunView[] = [];
      for (const gateway of failing) {
        const run = await database.runHistory.find(await requestRun(database, actor, gateway, { act: 'retry' }));
        if (run !== null) runs.push(run);
      }
      context.answer({ json: runs, text: (renderOptions) => renderRuns(renderOptions, runs) });
    });
}
