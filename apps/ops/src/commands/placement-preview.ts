import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OutboundPosts, savePhoto } from '@passerelle/connectors';
import type { Database, Placement } from '@passerelle/database';
import { DAYS_AFTER_CONTRACT } from '@passerelle/domain';
import {
  ComposedDocument,
  configHashOf,
  type ScanJob,
  type ScannedList,
  scanList,
  type Target,
} from '@passerelle/exporters';
import { Refused } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { sourcePolicyOf } from '../running-instance';
import { addPlacementCommand, type PlacementId, placementOf, targetOf } from './placement';

const PHOTO_MS = 60_000;

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
      const { files, scan } = await preview(context, await context.openDatabase(), placement, target, to);
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

async function preview(
  context: CommandContext,
  { exportRuns, publications }: Database,
  { id, gatewayId }: Placement,
  target: Target,
  to: string,
): Promise<{ files: string[]; scan: ScannedList }> {
  const placement = await exportRuns.load(id, 0, DAYS_AFTER_CONTRACT);
  if (placement === null || placement.snapshot === null) throw new Refused('the gateway has published no list yet');
  const { crm, client, language, contact, settings } = placement;
  const config = { id, crm, client, language, contact, settings, credentials: {} };
  const exported = { placement: config, publishedAtMs: placement.snapshot.publishedAtMs };
  const unwritable: string[] = [];
  const job: ScanJob = {
    ...{ runs: exportRuns, placement, target, context: exported, signal: new AbortController().signal },
    known: await publications.ofPlacement({ id: 0, fence: 0, gatewayId, placementId: id }),
    configHash: configHashOf(target, exported, {}),
    onUnwritable: (_error, affId) => unwritable.push(affId),
  };
  if (target.transport === 'api') {
    const files: string[] = [];
    const scan = await scanList(job, {
      ...{ makesAll: true, mostTexts: 0 },
      async onAdvert(advert, { advertId }) {
        const name = `${encodeURIComponent(advertId)}.txt`;
        await writeFile(join(to, name), advert);
        files.push(name);
      },
    });
    return { files, scan };
  }
  const composed = await ComposedDocument.begin(target.document, exported, job.configHash, null);
  try {
    const scan = await scanList(job, {
      makesAll: true,
      mostTexts: 0,
      onAdvert: (advert, item) => composed.add(advert, item),
    });
    const allowPrivate = new Set(sourcePolicyOf(context.env).allowPrivate);
    const posts = new OutboundPosts({ allowPrivate, timeoutMs: PHOTO_MS, maxCharacters: 0 });
    const path = await composed.finish((url, photo, signal) => savePhoto(posts, url, photo, signal), job.signal);
    posts.close();
    await copyFile(path, join(to, composed.file.name));
    return { files: [composed.file.name], scan };
  } finally {
    await composed.remove();
  }
}
