import type { BackupManifest } from '@passerelle/database/operators';
import type { Command } from 'commander';
import type { CommandContext, CommandResult } from '../command-context';
import { counted } from '../render/figures';
import { renderBlock } from '../render/table';
import { addCommand } from './command';

export function addBackup(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'backup',
    'Writes the whole database into a new directory, while everything goes on.',
    'backup --to /backups/2026-11-22',
  )
    .requiredOption('--to <directory>', 'where to; it must be empty, or not be there yet')
    .action(async ({ to }: { to: string }) => {
      const manifest = await (await context.openBackups()).take(to);
      // A standby is backed up as well, and writes nothing down.
      await context.record({ act: 'backup', after: { taken_at: manifest.takenAt } }).catch(() => undefined);
      context.answer(shown('a backup', to, manifest));
    });
}

export function addRestore(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'restore',
    'Fills an empty, migrated database with a backup. The API and the ingestors must not run.',
    'restore --from /backups/2026-11-22',
  )
    .requiredOption('--from <directory>', 'what "backup" has written')
    .action(async ({ from }: { from: string }) => {
      const manifest = await (await context.openBackups()).restore(from);
      await context.record({ act: 'restore', after: { taken_at: manifest.takenAt } });
      context.answer(shown('restored', from, manifest));
    });
}

function shown(what: string, directory: string, { takenAt, schema, tables }: BackupManifest): CommandResult {
  const rows = Object.fromEntries(tables.map(({ name, rows: count }) => [name, count]));
  const counts = { gateways: rows['gateway'] ?? 0, listings: rows['current_listing'] ?? 0 };
  const sum = tables.reduce((total, table) => total + table.rows, 0);
  return {
    json: { directory, taken_at: takenAt, schema: schema.at(-1) ?? null, ...counts, rows },
    text: (renderOptions) =>
      renderBlock(renderOptions, `${what}  ${directory}`, [
        { label: 'taken', value: takenAt },
        { label: 'schema', value: schema.at(-1) ?? null },
        { label: 'holds', value: `${counted(counts.gateways, 'gateway')}, ${counted(counts.listings, 'listing')}` },
        { label: 'rows', value: sum },
      ]),
  };
}
