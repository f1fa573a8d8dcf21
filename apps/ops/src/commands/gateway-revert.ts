import { releaseGateway, revertGateway, type SnapshotView, toSnapshotView } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext, CommandResult } from '../command-context';
import { UsageError } from '../errors';
import { localAndRelative } from '../render/figures';
import { renderTable } from '../render/table';
import { addGatewayCommand, type GatewayName } from './command';
import { answerOfRun, timeoutMsOf } from './ingest';

export function addGatewaySnapshots(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'snapshots',
    'Lists the snapshots that are kept, newest first: a gateway can go back to each of them.',
    'gateway snapshots --crm kyero --client agence-du-port',
  ).action(async ({ crm, client }: GatewayName) => {
    const { id } = await context.gateway(crm, client);
    const { keptSnapshots, revertGuards } = await context.openDatabase();
    const [kept, guard] = [await keptSnapshots.list(id), await revertGuards.find(id)];
    context.answer(snapshotsResult(kept.map(toSnapshotView), guard !== null, context.terminal.now()));
  });
}

interface RevertOptions extends GatewayName {
  to: string;
  reason: string;
  wait?: boolean;
  timeout?: string;
}

export function addGatewayRevert(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'revert',
    'Requests a run that publishes the content of a kept snapshot again. A guard then holds every run that would undo it.',
    'gateway revert --crm kyero --client agence-du-port --to previous --reason "the export of this morning was half empty"',
  )
    .requiredOption('--to <token>', 'the token of a kept snapshot, or "previous"')
    .requiredOption('--reason <text>', 'why; kept with the run and in the audit')
    .option('--wait', 'waits until the run is over; Ctrl-C stops the waiting, not the run')
    .option('--timeout <duration>', 'the longest time to wait: 90s, 10m')
    .action(async ({ crm, client, to, reason, wait = false, timeout }: RevertOptions) => {
      const timeoutMs = timeoutMsOf(timeout === undefined ? {} : { timeout }, wait);
      if (reason.trim() === '') throw new UsageError('--reason needs a text');
      const [row, actor] = [await context.gateway(crm, client), await context.actor()];
      const runId = await revertGateway(await context.openDatabase(), actor, row, { to, reason: reason.trim() });
      context.answer(await answerOfRun(context, runId, wait ? timeoutMs : null));
    });
}

export function addGatewayRelease(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'release',
    'Ends the guard of a revert: the next run may publish what the revert took back.',
    'gateway release --crm kyero --client agence-du-port --reason "the agency has corrected its export"',
  )
    .option('--reason <text>', 'why; kept in the audit')
    .action(async ({ crm, client, reason }: GatewayName & { reason?: string }) => {
      const [row, actor] = [await context.gateway(crm, client), await context.actor()];
      await releaseGateway(await context.openDatabase(), actor, row, reason);
      context.answer({
        json: { crm, client, released: true },
        text: () => `${crm}/${client} is released: the next run may publish what the revert took back`,
      });
    });
}

function snapshotsResult(views: readonly SnapshotView[], isGuarded: boolean, now: Date): CommandResult {
  return {
    json: views,
    text: (options) => {
      const table = renderTable<SnapshotView>(
        options,
        [
          { title: 'TOKEN', value: ({ token }) => token },
          { title: 'PUBLISHED', value: ({ published_at }) => localAndRelative(published_at, now) },
          { title: 'LISTINGS', value: ({ total }) => total, align: 'right' },
          { title: '+', value: ({ added }) => added ?? '', align: 'right' },
          { title: '~', value: ({ changed }) => changed ?? '', align: 'right' },
          { title: '-', value: ({ removed }) => removed ?? '', align: 'right' },
          { title: 'RUN', value: ({ run }) => run, align: 'right' },
          { title: 'TRIGGER', value: ({ trigger }) => trigger ?? '' },
          { title: '', value: ({ current }) => (current ? 'served' : '') },
        ],
        views,
        'no snapshot is kept',
      );
      return isGuarded
        ? `${table}\n\na revert is guarded: a run that would undo it is held until "gateway release"`
        : table;
    },
  };
}
