import type { BackupManifest } from '@passerelle/database/operators';
import type { Command } from 'commander';
import type { CommandContext, CommandResult } from '../command-context';
import { sentenceOf, UsageError } from '../errors';
import { counted } from '../render/figures';
import { renderBlock } from '../render/table';
import { ACCEPT_FOREIGN, addCommand } from './command';

const LONGEST_REASON = 300;

export function addBackup(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'backup',
    'Writes the whole database into a new directory while all programs run, and verifies the copy.',
    'backup --to /backups/2026-11-22',
  )
    .option('--to <directory>', 'the directory to write; empty, or not existing yet')
    .option('--check <directory>', 'checks a backup or an export as "restore" would, and writes nothing')
    .action(async ({ to, check }: { to?: string; check?: string }) => {
      if ((to === undefined) === (check === undefined)) throw new UsageError('backup takes --to or --check');
      if (to !== undefined) context.answer(await take(context, to));
      else if (check !== undefined) context.answer(await checked(context, check));
    });
}

/** Failed backups are recorded too, for the metrics and an alert. */
async function take(context: CommandContext, to: string): Promise<CommandResult> {
  try {
    const keys = await context.manifestKeys();
    const manifest = await (await context.openBackups()).take(to, keys);
    // A standby can be backed up too, but it cannot store the record.
    await context.record({ act: 'backup', after: { taken_at: manifest.takenAt } }).catch(() => undefined);
    return shown('a backup', to, manifest, keys.canSign ? 'yes' : 'no: there is no SECRETS_KEY here');
  } catch (error) {
    const reason = sentenceOf(error).slice(0, LONGEST_REASON);
    await context.record({ act: 'backup failed', reason }).catch(() => undefined);
    throw error;
  }
}

async function checked(context: CommandContext, directory: string): Promise<CommandResult> {
  const { checkBackup } = await import('../open-backups.ts');
  const { manifest, isForeign } = await checkBackup(directory, await context.manifestKeys());
  return shown('can be restored', directory, manifest, isForeign ? 'no: restoring it needs --accept-foreign' : 'yes');
}

export function addRestore(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'restore',
    'Fills an empty, migrated database with a backup. The API and the ingestors must not run.',
    'restore --from /backups/2026-11-22',
  )
    .requiredOption('--from <directory>', 'a directory that "backup" has written')
    .option('--accept-foreign', ACCEPT_FOREIGN)
    .action(async ({ from, acceptForeign }: { from: string; acceptForeign?: true }) => {
      const trust = { keys: await context.manifestKeys(), acceptForeign: acceptForeign === true };
      const manifest = await (await context.openBackups()).restore(from, trust);
      await context.record({ act: 'restore', after: { taken_at: manifest.takenAt } });
      context.answer(shown('restored', from, manifest));
    });
}

function shown(what: string, directory: string, manifest: BackupManifest, signed?: string): CommandResult {
  const { takenAt, schema, tables } = manifest;
  const rows = Object.fromEntries(tables.map(({ name, rows: count }) => [name, count]));
  const counts = { gateways: rows['gateway'] ?? 0, listings: rows['current_listing'] ?? 0 };
  const sum = tables.reduce((total, table) => total + table.rows, 0);
  const isSigned = signed === undefined ? {} : { signed: signed === 'yes' };
  return {
    json: { directory, taken_at: takenAt, schema: schema.at(-1) ?? null, ...isSigned, ...counts, rows },
    text: (renderOptions) =>
      renderBlock(renderOptions, `${what}  ${directory}`, [
        { label: 'taken', value: takenAt },
        { label: 'schema', value: schema.at(-1) ?? null },
        ...(signed === undefined ? [] : [{ label: 'signed', value: signed }]),
        { label: 'holds', value: `${counted(counts.gateways, 'gateway')}, ${counted(counts.listings, 'listing')}` },
        { label: 'rows', value: sum },
      ]),
  };
}
