import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Refused } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { sourcePolicyOf } from '../running-instance';
import { addPlacementCommand, type PlacementId, placementOf, targetOf } from './placement';

export function addPlacementPreview(parent: Command, context: CommandContext): void {
  addPlacementCommand(
    parent,
    'preview',
    'Writes exactly what would be sent to the portal into a directory, and sends nothing.',
    'placement preview --id 3 --to /tmp/preview',
  )
    .requiredOption('--to <directory>', 'the directory to write; empty, or not existing yet')
    .action(async ({ to, ...options }: PlacementId & { to: string }) => {
      const placement = await placementOf(context, options);
      const target = await targetOf(placement.target);
      await mkdir(to, { recursive: true });
      if ((await readdir(to)).length > 0) throw new Refused(`${to} is not empty`);
      const { previewPlacement } = await import('../preview-placement.ts');
      const allowPrivate = new Set(sourcePolicyOf(context.env).allowPrivate);
      const { files, scan } = await previewPlacement(await context.openDatabase(), placement, target, to, allowPrivate);
      const left = [...scan.out].map(([affId, { code, sentence }]) => ({ affId, reason_code: code, reason: sentence }));
      const { id, crm, client, target: code } = placement;
      context.answer({
        json: { id, crm, client, target: code, to, files, ready: scan.ready.size, left_out: left },
        text: () =>
          [
            `${scan.ready.size} listings are ready for ${target.label}, ${left.length} are not sent`,
            ...files.map((file) => join(to, file)),
            ...left.map(({ affId, reason }) => `${affId}: ${reason}`),
          ].join('\n'),
      });
    });
}
