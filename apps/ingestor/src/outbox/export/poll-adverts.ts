import type { KnownPublication, PublicationRow } from '@passerelle/domain';
import type { AdvertStatus, ApiTarget, PortalClient, ScannedList } from '@passerelle/exporters';
import { type ExportJob, removedRow, save } from './export-job';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An advert that is online is looked up again after this time, because portals also remove adverts by themselves. */
const ONLINE_MS = 24 * HOUR_MS;
/** The most status requests of one attempt. */
const AT_ONCE = 500;

/**
 * Asks the portal what became of adverts.
 * @returns when to ask again, in ms; null when nothing is open
 */
export async function pollAdverts(
  job: ExportJob<ApiTarget>,
  client: PortalClient,
  scan: ScannedList,
  inParallel: <T>(items: readonly T[], work: (item: T) => Promise<void>) => Promise<unknown>,
): Promise<number | null> {
  if (!job.target.acknowledges) return null;
  const nowMs = Date.now();
  const due = [...job.known.values()]
    .filter((row) => row.portalId !== null && (dueAtMs(row) ?? Infinity) <= nowMs)
    .toSorted((a, b) => (a.askedAtMs ?? 0) - (b.askedAtMs ?? 0))
    .slice(0, AT_ONCE);
  await inParallel(due, async (row) => {
    if (row.portalId === null) return;
    const status = await client.status(row.portalId);
    await save(job, [withStatus(row, status, scan)]);
  });
  const next = [...job.known.values()].map((row) => dueAtMs(row)).filter((atMs) => atMs !== null);
  return next.length === 0 ? null : Math.max(0, Math.min(...next) - Date.now());
}

/** Soon after it was sent, then less often. */
function dueAtMs({ state, portalId, sentAtMs, askedAtMs }: PublicationRow): number | null {
  if (portalId === null) return null;
  if (state === 'online') return (askedAtMs ?? 0) + ONLINE_MS;
  if (state !== 'sent' && state !== 'accepted' && state !== 'removing') return null;
  if (askedAtMs === null) return 0;
  const ageMs = askedAtMs - (sentAtMs ?? askedAtMs);
  return askedAtMs + Math.min(HOUR_MS, Math.max(MINUTE_MS, ageMs / 4));
}

function withStatus(row: KnownPublication, { state, url, reason }: AdvertStatus, scan: ScannedList): PublicationRow {
  const asked: PublicationRow = { ...row, askedAtMs: Date.now() };
  // A portal may answer with the state before the removal for a while.
  if (row.state === 'removing') return state === 'removed' ? removedRow(asked, scan) : asked;
  switch (state) {
    case 'removed':
      return {
        ...{ ...asked, state: 'removed', portalId: null, url: null },
        ...{ reasonCode: 'gone', reason: reason ?? 'the portal removed it by itself' },
      };
    case 'refused':
      return { ...asked, state, reasonCode: 'refused', reason: (reason ?? 'the portal gave no reason').slice(0, 500) };
    case 'accepted':
    case 'online':
      return { ...asked, state, reasonCode: null, reason: reason?.slice(0, 500) ?? null, url: url ?? asked.url };
  }
}
