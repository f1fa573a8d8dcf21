import type { ImportedGateway, NeededSecrets } from '@passerelle/database/operators';
import type { KeyHashes, SecretBox } from '@passerelle/domain';
import { assertSlug, Refused } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext, CommandResult } from '../command-context';
import { counted } from '../render/figures';
import { renderBlock } from '../render/table';
import { ACCEPT_FOREIGN, addGatewayCommand, type GatewayName } from './command';

interface ImportOptions {
  from: string;
  replace?: true;
  acceptForeign?: true;
}

export function addGatewayExport(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'export',
    'Writes one gateway with its keys, lists and history into a new directory.',
    'gateway export --crm kyero --client agence-du-port --to /backups/agence-du-port',
  )
    .requiredOption('--to <directory>', 'the directory to write; empty, or not existing yet')
    .action(async ({ crm, client, to }: GatewayName & { to: string }) => {
      assertNames(crm, client);
      const [backups, keys] = [await context.openBackups(), await context.manifestKeys()];
      const { tables, takenAt } = await backups.exportGateway(to, { crm, client }, keys);
      const rows = Object.fromEntries(tables.map(({ name, rows: count }) => [name, count]));
      await context.record({ act: 'gateway export', crm, client, after: { taken_at: takenAt } });
      context.answer(shown('exported', { crm, client }, to, { takenAt, rows }));
    });
}

export function addGatewayImport(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'import',
    'Imports one gateway from a directory that "gateway export" or "backup" has written. All other gateways keep running.',
    'gateway import --crm kyero --client agence-du-port --from /backups/agence-du-port',
  )
    .requiredOption('--from <directory>', 'the directory that "gateway export" or "backup" has written')
    .option('--replace', 'replaces the gateway of that name')
    .option('--accept-foreign', ACCEPT_FOREIGN)
    .action(async ({ crm, client, from, replace, acceptForeign }: GatewayName & ImportOptions) => {
      assertNames(crm, client);
      const [box, hashes] = [await context.secretBox(), await context.keyHashes()];
      const imported = await (
        await context.openBackups()
      ).importGateway(
        from,
        { crm, client },
        {
          replaces: replace === true,
          acceptForeign: acceptForeign === true,
          keys: await context.manifestKeys(),
          assertUsable: (needed) => {
            assertUsable(needed, box, hashes);
          },
        },
      );
      await context.record({ act: 'gateway import', crm, client, after: { taken_at: imported.takenAt } });
      context.answer(shown('imported', { crm, client }, from, imported));
    });
}

function assertNames(crm: string, client: string): void {
  assertSlug('--crm', crm);
  assertSlug('--client', client);
}

/** @throws Refused when the gateway's keys or source need a SECRETS_KEY that this installation lacks */
function assertUsable({ keyIds, sealed }: NeededSecrets, box: SecretBox | null, hashes: KeyHashes): void {
  const opens = (bytes: Buffer): boolean => {
    try {
      box?.open(bytes);
      return box !== null;
    } catch {
      return false;
    }
  };
  if (keyIds.every((id) => hashes.knows(id)) && sealed.every(opens)) return;
  throw new Refused(
    'its keys or its source need the SECRETS_KEY of the installation that it comes from: set it as SECRETS_KEY_OLD here, for the API and for the ingestors' +
      ', and run "rekey" afterwards',
  );
}

function shown(
  what: string,
  { crm, client }: { crm: string; client: string },
  directory: string,
  { takenAt, rows }: ImportedGateway,
): CommandResult {
  const counts = { listings: rows['current_listing'] ?? 0, keys: rows['api_key'] ?? 0, runs: rows['run'] ?? 0 };
  return {
    json: { crm, client, directory, taken_at: takenAt, ...counts, rows },
    text: (options) =>
      renderBlock(options, `${crm}/${client} ${what}  ${directory}`, [
        { label: 'taken', value: takenAt },
        {
          label: 'holds',
          value: `${counted(counts.listings, 'listing')}, ${counted(counts.keys, 'key')}, ${counted(counts.runs, 'run')}`,
        },
      ]),
  };
}
