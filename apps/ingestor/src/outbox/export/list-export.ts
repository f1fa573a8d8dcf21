import { createReadStream } from 'node:fs';
import { createGzip } from 'node:zlib';
import type { uploadFile } from '@passerelle/connectors';
import type { ExportOutcome, PlacementDocuments } from '@passerelle/database';
import type { PublicationRow } from '@passerelle/domain';
import {
  type AddressTarget,
  ComposedDocument,
  type FileTarget,
  isLive,
  type SavePhoto,
  type ScannedList,
  scanList,
} from '@passerelle/exporters';
import { DeliveryFailed } from '../define-delivery';
import {
  countsOf,
  type ExportJob,
  forgetGone,
  heldBy,
  isEnding,
  newRow,
  removedRow,
  save,
  vanishing,
  waitingRows,
} from './export-job';

export interface ListDependencies {
  documents: PlacementDocuments;
  savePhoto: SavePhoto;
  allowPrivate: ReadonlySet<string>;
  spoolDir: string | null;
  upload: typeof uploadFile;
}

/** Sends a whole list as a file, or keeps it for the portal to fetch. */
export async function exportList(
  job: ExportJob<AddressTarget | FileTarget>,
  dependencies: ListDependencies,
): Promise<ExportOutcome> {
  const { target, context, placement, configHash, signal } = job;
  const composed = await ComposedDocument.begin(target.document, context, configHash, dependencies.spoolDir);
  try {
    const scan = await scanList(job, {
      makesAll: true,
      mostTexts: 0,
      onAdvert: (advert, item) => composed.add(advert, item),
    });
    const gone = vanishing(job, scan);
    let changed = changedRows(job, scan);
    const isNew = ({ affId }: PublicationRow): boolean =>
      !isLive(job.known.get(affId) ?? { state: 'waiting', portalId: null });
    const done = {
      ...{ added: changed.filter(isNew).length, changed: changed.filter((row) => !isNew(row)).length },
      removed: gone.length,
    };
    const dueInMs = scan.embargoEndsAtMs === null ? null : Math.max(0, scan.embargoEndsAtMs - Date.now());
    const end = { snapshotId: placement.snapshot?.id ?? null, dueInMs };
    if (placement.isDryRun) return { ...end, result: 'dry-run', counts: countsOf(job, scan, done) };
    const held = await heldBy(job, scan);
    const waiting = waitingRows(job, scan);
    if (held !== null) {
      await save(job, waiting);
      return { ...end, result: 'held', held, counts: countsOf(job, scan, { added: 0, changed: 0, removed: 0 }) };
    }
    // A portal that never got a list may have adverts from former software: an empty list would remove them.
    const isFirstAndEmpty = scan.ready.size === 0 && placement.documentHash === null;
    const isSame = composed.documentHash === placement.documentHash && !job.isForced;
    if (!isFirstAndEmpty && !isSame) {
      const path = await composed.finish(dependencies.savePhoto, signal);
      await deliver(job, dependencies, path, composed);
      changed = withMissingPhotos(job, scan, changed, composed.missingPhotos);
    }
    // The rows are written after the upload: a crash before that repeats the same bytes.
    await save(job, [...changed, ...gone.map((row) => removedRow(row, scan)), ...withoutChanged(waiting, changed)]);
    await forgetGone(job, scan);
    const result = isFirstAndEmpty ? 'empty' : isSame ? 'unchanged' : 'sent';
    return { ...end, result, configHash, counts: countsOf(job, scan, done) };
  } finally {
    await composed.remove();
  }
}

/** Rows of adverts that are in the document and that the portal does not have like this. */
function changedRows(
  { known, target }: ExportJob<AddressTarget | FileTarget>,
  { ready }: ScannedList,
): PublicationRow[] {
  const state = target.acknowledges ? 'sent' : 'delivered';
  const rows: PublicationRow[] = [];
  for (const { affId, advertId, hash, versionId } of ready.values()) {
    const row = known.get(affId);
    if (row !== undefined && isLive(row) && row.hash === hash) continue;
    const sent = { state, hash, versionId, reasonCode: null, reason: null, sentAtMs: Date.now() } as const;
    rows.push({ ...(row ?? newRow(affId, advertId)), ...sent });
  }
  return rows;
}

/** Notes adverts whose photos are not all in the archive, and those that have all of them again. */
function withMissingPhotos(
  { known }: ExportJob,
  { ready }: ScannedList,
  changed: readonly PublicationRow[],
  missing: ReadonlyMap<string, number>,
): PublicationRow[] {
  const rows = new Map(changed.map((row) => [row.affId, row]));
  for (const affId of ready.keys()) {
    const row = rows.get(affId) ?? known.get(affId);
    const count = missing.get(affId);
    const reason = count === undefined ? null : `the archive lacks ${count} of its photos, which cannot be read`;
    if (row !== undefined && row.reason !== reason) rows.set(affId, { ...row, reason });
  }
  return [...rows.values()];
}

function withoutChanged(waiting: readonly PublicationRow[], changed: readonly PublicationRow[]): PublicationRow[] {
  const ids = new Set(changed.map(({ affId }) => affId));
  return waiting.filter(({ affId }) => !ids.has(affId));
}

async function deliver(
  job: ExportJob<AddressTarget | FileTarget>,
  { documents, allowPrivate, upload }: ListDependencies,
  path: string,
  { documentHash, file }: ComposedDocument,
): Promise<void> {
  const { target, context, fence, runs, signal } = job;
  if (target.transport === 'address') {
    const { contentType } = target;
    await documents.store(fence, { hash: documentHash, contentType }, createReadStream(path).pipe(createGzip()));
    return;
  }
  const { credentials, settings } = context.placement;
  const { url, ...login } = credentials;
  if (url === undefined) throw new DeliveryFailed('not sent: the placement has no credential "url"', { isOurs: true });
  try {
    await upload(url, { credentials: login, settings }, { path, name: file.name }, allowPrivate, signal);
    await runs.noteDocument(fence, documentHash);
  } catch (error) {
    await runs.noteLateList(fence);
    throw error;
  }
}

/** Whether a list of this target may be sent now: where absence removes, only a confirmed one. */
export function maySendList(job: ExportJob): boolean {
  return !job.target.absenceRemoves || job.placement.isConfirmed || isEnding(job);
}
