import type { ExportedPlacement, ExportFence, ExportRuns, Publications } from '@passerelle/database';
import {
  type ExportCounts,
  type ExportHold,
  type KnownPublication,
  parseGatewaySettings,
  type PublicationRow,
} from '@passerelle/domain';
import { isLive, judgeExport, type ScanJob, type ScannedList, type Target } from '@passerelle/exporters';

/** One attempt of an export. */
export interface ExportJob<T extends Target = Target> extends ScanJob {
  runs: ExportRuns;
  publications: Publications;
  fence: ExportFence;
  placement: ExportedPlacement;
  target: T;
  known: Map<string, KnownPublication>;
  /** Whether an operator wants the document to be sent although it did not change. */
  isForced: boolean;
}

/** Whether every advert is taken offline, so that nothing is held. */
export function isEnding({ placement }: Pick<ExportJob, 'placement'>): boolean {
  return placement.isEnding || placement.isContractOver;
}

/** Adverts that the portal shows and that the list does not have any more. */
export function vanishing({ known }: ExportJob, { ready }: ScannedList): KnownPublication[] {
  return [...known.values()].filter((row) => isLive(row) && !ready.has(row.affId));
}

/** @returns why the gate holds the export, and the adverts that would disappear; null when the export may be sent */
function holdOf(job: ExportJob, scan: ScannedList): { hold: ExportHold | null; gone: KnownPublication[] } {
  const { placement, known } = job;
  const counted = [...known.values()].filter((row) => isLive(row) && !row.isWithdrawn && row.removal !== 'approved');
  const gone = counted.filter(({ affId }) => !scan.ready.has(affId));
  const added = [...scan.ready.keys()].filter((affId) => {
    const row = known.get(affId);
    return row === undefined || !isLive(row);
  }).length;
  const change = { live: counted.length, ready: scan.ready.size, added, removed: gone.length };
  const hold = isEnding(job) ? null : judgeExport(change, parseGatewaySettings(placement.gatewaySettings).thresholds);
  return { hold, gone };
}

/** Marks what would disappear when the gate holds the export. @returns null when the export may be sent */
export async function heldBy(job: ExportJob, scan: ScannedList): Promise<ExportHold | null> {
  const { publications, fence, known } = job;
  const back = [...known.values()].filter(({ affId, removal }) => removal !== null && scan.ready.has(affId));
  await publications.keep(
    fence,
    back.map(({ affId }) => affId),
  );
  for (const row of back) row.removal = null;
  const { hold, gone } = holdOf(job, scan);
  await publications.hold(fence, hold === null ? [] : gone.map(({ affId }) => affId));
  return hold;
}

/** A row of a listing that the portal does not have yet. */
export function newRow(affId: string, advertId: string): PublicationRow {
  return {
    ...{
      affId,
      advertId,
      state: 'waiting',
      hash: null,
      versionId: null,
      portalId: null,
      intent: null,
      intentHash: null,
    },
    ...{ reasonCode: null, reason: null, url: null, tries: 0, sentAtMs: null, askedAtMs: null },
  };
}

/** Rows of listings that are not sent, where the reason or the version is new; live adverts are not among them. */
export function waitingRows({ known }: ExportJob, { out, ready }: ScannedList): PublicationRow[] {
  const rows: PublicationRow[] = [];
  for (const [affId, { code, sentence, versionId, advertId }] of out) {
    const row = known.get(affId);
    if (row !== undefined && (isLive(row) || row.state === 'removing')) continue;
    if (row?.reasonCode === code && row.reason === sentence && row.versionId === versionId) continue;
    const state = row?.state === 'removed' ? 'removed' : 'waiting';
    rows.push({ ...(row ?? newRow(affId, advertId)), state, reasonCode: code, reason: sentence, versionId });
  }
  for (const [affId, { advertId }] of ready) {
    const row = known.get(affId);
    if (row === undefined) rows.push(newRow(affId, advertId));
    else if (row.state === 'waiting' && row.reasonCode !== null) rows.push({ ...row, reasonCode: null, reason: null });
  }
  const scan = { out, ready, embargoEndsAtMs: null };
  for (const row of known.values()) {
    const isOver = row.state === 'refused' || row.state === 'removed';
    if (!isOver || isLive(row) || ready.has(row.affId) || out.has(row.affId) || row.reasonCode === 'absent') continue;
    rows.push(removedRow(row, scan));
  }
  return rows;
}

/** Writes rows and remembers them. @param leaseMs how long the export must stay ours; null for any time */
export async function save(job: ExportJob, rows: readonly PublicationRow[], leaseMs?: number): Promise<void> {
  const told = rows.filter(({ affId, state }) => {
    const before = job.known.get(affId)?.state;
    return before !== state && (state === 'online' || state === 'refused');
  });
  await job.publications.save(job.fence, rows, new Set(told.map(({ affId }) => affId)), leaseMs);
  for (const row of rows) {
    const { isWithdrawn = false, removal = null, doubtAtMs = null } = job.known.get(row.affId) ?? {};
    job.known.set(row.affId, { ...row, isWithdrawn, removal: row.state === 'removed' ? null : removal, doubtAtMs });
  }
}

/** Forgets listings that left the list and were never sent. */
export async function forgetGone(
  { known, publications, fence }: ExportJob,
  { ready, out }: ScannedList,
): Promise<void> {
  const gone = [...known.values()].filter(
    ({ affId, state, portalId, intent }) =>
      state === 'waiting' && portalId === null && intent === null && !ready.has(affId) && !out.has(affId),
  );
  await publications.forget(
    fence,
    gone.map(({ affId }) => affId),
  );
  for (const { affId } of gone) known.delete(affId);
}

export function countsOf(
  job: ExportJob,
  scan: ScannedList,
  done: Pick<ExportCounts, 'added' | 'changed' | 'removed'>,
): ExportCounts {
  const { known, placement } = job;
  const hold = placement.isDryRun ? holdOf(job, scan).hold : null;
  const rows = [...known.values()];
  const count = (...states: string[]): number => rows.filter(({ state }) => states.includes(state)).length;
  return {
    ...{ ready: scan.ready.size, ...done, refused: count('refused'), waiting: count('waiting') },
    ...(hold !== null && { hold: hold.message }),
  };
}

/** The row of an advert that the portal does not have any more. */
export function removedRow(row: PublicationRow, { out }: ScannedList): PublicationRow {
  const exclusion = out.get(row.affId);
  return {
    ...row,
    ...{ state: 'removed', hash: null, portalId: null, url: null, intent: null, intentHash: null, tries: 0 },
    ...{ reasonCode: exclusion?.code ?? 'absent', reason: exclusion?.sentence ?? 'the list does not have it any more' },
    versionId: exclusion?.versionId ?? row.versionId,
  };
}
