import { copyFile, writeFile } from 'node:fs/promises';
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

const PHOTO_MS = 60_000;

/** Writes what would be sent to the portal into a directory. @throws Refused before the first list */
export async function previewPlacement(
  { exportRuns, publications }: Database,
  { id, gatewayId }: Placement,
  target: Target,
  to: string,
  allowPrivate: ReadonlySet<string>,
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
    const posts = new OutboundPosts({ allowPrivate, timeoutMs: PHOTO_MS, maxCharacters: 0 });
    const path = await composed.finish((url, photo, signal) => savePhoto(posts, url, photo, signal), job.signal);
    posts.close();
    await copyFile(path, join(to, composed.file.name));
    return { files: [composed.file.name], scan };
  } finally {
    await composed.remove();
  }
}
