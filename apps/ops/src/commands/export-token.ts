import type { ExportToken } from '@passerelle/database';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { makeExportToken, revokeExportToken } from '@passerelle/operations';
import { parseWholeNumber } from '../options/values';
import type { RenderOptions } from '../render/render-options';
import { renderTable } from '../render/table';
import { addGatewayCommand, type GatewayName } from './command';

const EXAMPLE = '--crm kyero --client agence-du-port';

export function addExportTokenMake(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'make',
    'Prints a new token for /v1/export; it is shown only once. Existing tokens stay valid.',
    `gateway export-token make ${EXAMPLE}`,
  ).action(async ({ crm, client }: GatewayName) => {
    const gateway = await context.gateway(crm, client);
    const [database, actor, hashes] = [await context.openDatabase(), await context.actor(), await context.keyHashes()];
    const token = await makeExportToken(database, actor, gateway, hashes);
    context.answer({
      json: { crm, client, token, path: `/v1/export/kyero.xml?token=${token}` },
      text: () => `${crm}/${client}: the address of its export, shown only once\n/v1/export/kyero.xml?token=${token}`,
    });
  });
}

export function addExportTokenList(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'list',
    'Lists the tokens of a gateway by their prefix.',
    `gateway export-token list ${EXAMPLE}`,
  ).action(async ({ crm, client }: GatewayName) => {
    const { id } = await context.gateway(crm, client);
    const tokens = await (await context.openDatabase()).exportTokens.list(id);
    context.answer({
      json: tokens.map(({ id: tokenId, prefix, createdAt, lastUsedOn }) => ({
        ...{ id: tokenId, prefix, created_at: createdAt, last_used_on: lastUsedOn },
      })),
      text: (options) => renderTokens(options, tokens),
    });
  });
}

export function addExportTokenRevoke(parent: Command, context: CommandContext): void {
  addGatewayCommand(
    parent,
    'revoke <id>',
    'Ends a token immediately.',
    `gateway export-token revoke 3 ${EXAMPLE}`,
  ).action(async (idText: string, { crm, client }: GatewayName) => {
    const tokenId = parseWholeNumber('ID', idText);
    const gateway = await context.gateway(crm, client);
    await revokeExportToken(await context.openDatabase(), await context.actor(), gateway, tokenId);
    context.answer({
      json: { crm, client, revoked: tokenId },
      text: () => `${crm}/${client}: the export token ${tokenId} has ended`,
    });
  });
}

function renderTokens(options: RenderOptions, tokens: readonly ExportToken[]): string {
  return renderTable(
    options,
    [
      { title: 'id', value: ({ id }) => id, align: 'right' },
      { title: 'token', value: ({ prefix }) => `${prefix}…` },
      { title: 'made', value: ({ createdAt }) => createdAt.slice(0, 10) },
      { title: 'last used', value: ({ lastUsedOn }) => lastUsedOn },
    ],
    tokens,
    'no export token',
  );
}
