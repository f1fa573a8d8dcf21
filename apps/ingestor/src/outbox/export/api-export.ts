import { type ExportOutcome, ExportTakenOver } from '@passerelle/database';
import { type PublicationRow, RetryLater } from '@passerelle/domain';
import {
  actionFor,
  type AdvertAction,
  AdvertRefused,
  type ApiTarget,
  type PortalClient,
  type ScannedList,
  scanList,
} from '@passerelle/exporters';
import { countsOf, type ExportJob, forgetGone, heldBy, newRow, removedRow, save, waitingRows } from './export-job';
import { pollAdverts } from './poll-adverts';

/** Changed adverts of one attempt; the others follow in the next one without a pause. */
const AT_ONCE = 500;
/** Requests to one portal at the same time, for one placement. */
const PARALLEL = 4;
/** After this time the other adverts follow in the next attempt. */
const ATTEMPT_MS = 60_000;
/** A request may begin so long after its intent was stored: a process that was stopped for longer sends nothing. */
const MOST_STALL_MS = 15_000;
/** An intent is only stored while no other process may take the export over during the stall and the verb's requests. */
const LEASE_MS = MOST_STALL_MS + 45_000;

/** After this time the adverts of an open request are looked up once more, because a suspended process may have sent it. */
const DOUBT_MS = 10 * 60_000;

/** An attempt of an export to an API. */
export interface ApiOutcome extends ExportOutcome {
  /** Whether more adverts are to be sent. */
  isPartial: boolean;
}

/** Sends the adverts that changed, one by one. */
export async function exportAdverts(job: ExportJob<ApiTarget>, client: PortalClient): Promise<ApiOutcome> {
  const { placement, configHash, known } = job;
  const startedMs = performance.now();
  const isOver = (): boolean => performance.now() - startedMs > ATTEMPT_MS;
  await settle(job, client);
  const scan = await scanList(job, { makesAll: false, mostTexts: AT_ONCE });
  const steps = stepsOf(job, scan);
  const count = (action: AdvertAction): number => steps.filter((step) => step.action === action).length;
  const done = { added: count('create'), changed: count('replace'), removed: count('remove') };
  const end = { snapshotId: placement.snapshot?.id ?? null, dueInMs: embargoDueMs(scan), isPartial: false };
  if (placement.isDryRun) return { ...end, result: 'dry-run', counts: countsOf(job, scan, done) };
  const held = await heldBy(job, scan);
  await save(job, waitingRows(job, scan));
  await forgetGone(job, scan);
  if (held !== null)
    return { ...end, result: 'held', held, counts: countsOf(job, scan, { added: 0, changed: 0, removed: 0 }) };
  const now = steps.filter(
    ({ action, affId }) => action === 'remove' || (scan.ready.get(affId)?.text ?? null) !== null,
  );
  const left = await inParallel(now, (step) => carryOut(job, client, scan, step), isOver);
  const isPartial = now.length < steps.length || left > 0;
  const pollInMs = isPartial
    ? null
    : await pollAdverts(job, client, scan, (rows, ask) => inParallel(rows, ask, isOver));
  return {
    ...end,
    ...{
      isPartial,
      result: steps.length > 0 ? 'sent' : 'unchanged',
      dueInMs: earliest(earliest(end.dueInMs, pollInMs), doubtDueMs(job)),
    },
    // Until everything is sent, each advert is compared by its text.
    ...(!isPartial && { configHash }),
    counts: countsOf({ ...job, known }, scan, done),
  };
}

interface Step {
  affId: string;
  action: AdvertAction;
}

function stepsOf({ known }: ExportJob, { ready }: ScannedList): Step[] {
  const ids = new Set([...ready.keys(), ...known.keys()]);
  const steps: Step[] = [];
  for (const affId of ids) {
    const action = actionFor(known.get(affId), ready.get(affId)?.hash ?? null);
    if (action !== null) steps.push({ affId, action });
  }
  // Removals first: a portal may have a maximum of adverts.
  return [...steps.filter(({ action }) => action === 'remove'), ...steps.filter(({ action }) => action !== 'remove')];
}

/**
 * Finds out what became of requests whose answer was lost, or that a suspended process sent or sends too late. The content
 * that the portal has then is unknown, so it is sent again.
 */
async function settle(job: ExportJob<ApiTarget>, client: PortalClient): Promise<void> {
  const { known, publications, fence } = job;
  const open = [...known.values()].filter(({ intent }) => intent !== null);
  const due = [...known.values()].flatMap(({ affId, doubtAtMs }) =>
    doubtAtMs !== null && doubtAtMs + DOUBT_MS <= Date.now() ? [{ affId, doubtAtMs }] : [],
  );
  // Before the intents are closed, because another process may take over in between.
  await publications.doubt(
    fence,
    open.map(({ affId }) => affId),
  );
  for (const row of open) row.doubtAtMs = Date.now();
  const ids = new Set([...open, ...due].map(({ affId }) => affId));
  await inParallel([...ids], async (affId) => {
    const row = known.get(affId)!;
    const shown = await client.find(row.advertId);
    // Also where the list does not have the listing any more: the gate judges its removal.
    const wanted = shown.find((id) => id === row.portalId) ?? shown[0];
    for (const other of shown) if (other !== wanted) await client.remove(other);
    const settled: PublicationRow = { ...row, intent: null, intentHash: null, hash: null };
    if (wanted !== undefined && wanted !== row.portalId)
      Object.assign(settled, { portalId: wanted, state: 'sent', sentAtMs: Date.now() });
    await save(job, [settled]);
  });
  await publications.endDoubts(fence, due);
  const openIds = new Set(open.map(({ affId }) => affId));
  for (const { affId } of due) if (!openIds.has(affId)) known.get(affId)!.doubtAtMs = null;
}

/** When doubtful adverts are looked up again, in ms; null without any. */
function doubtDueMs({ known }: ExportJob): number | null {
  const sinceMs = [...known.values()].flatMap(({ doubtAtMs }) => doubtAtMs ?? []);
  return sinceMs.length === 0 ? null : Math.max(0, Math.min(...sinceMs) + DOUBT_MS - Date.now());
}

/** The intent is stored before the request, and the result after the answer. @throws RetryLater, FeedError */
async function carryOut(
  job: ExportJob<ApiTarget>,
  client: PortalClient,
  scan: ScannedList,
  { affId, action }: Step,
): Promise<void> {
  job.signal.throwIfAborted();
  const ready = scan.ready.get(affId);
  const before = { ...(job.known.get(affId) ?? newRow(affId, ready?.advertId ?? affId)) };
  const hash = ready?.hash ?? null;
  // Former software may have made an advert with this id.
  if (action === 'create' && before.portalId === null && job.placement.idScheme !== 'own')
    before.portalId = (await client.find(before.advertId))[0] ?? null;
  const isSame = hash !== null && hash === before.hash;
  const intended: PublicationRow = {
    ...before,
    intent: action,
    intentHash: hash,
    tries: isSame ? before.tries + 1 : 1,
  };
  const intendedAtMs = performance.now();
  await save(job, [intended], LEASE_MS);
  if (performance.now() - intendedAtMs > MOST_STALL_MS)
    throw new RetryLater('the ingestor was stopped for a while: the advert is sent in the next attempt');
  if (action === 'remove') {
    if (before.portalId !== null) await client.remove(before.portalId);
    const removed = removedRow(intended, scan);
    const row: PublicationRow =
      job.target.acknowledges && before.portalId !== null
        ? { ...removed, state: 'removing', portalId: before.portalId, sentAtMs: Date.now() }
        : removed;
    await saveSent(job, row);
    return;
  }
  if (ready === undefined || ready.text === null) return;
  const sent: PublicationRow = {
    ...intended,
    ...{ intent: null, intentHash: null, hash, versionId: ready.versionId, reasonCode: null, reason: null },
    ...{ sentAtMs: Date.now(), askedAtMs: null },
  };
  try {
    const { advertId } = before;
    const portalId =
      before.portalId === null
        ? await client.create(ready.text, advertId)
        : await client.replace(before.portalId, ready.text, advertId);
    await saveSent(job, { ...sent, portalId, state: job.target.acknowledges ? 'sent' : 'delivered' });
  } catch (error) {
    if (!(error instanceof AdvertRefused)) throw error;
    await save(job, [{ ...sent, state: 'refused', reasonCode: 'refused', reason: error.message.slice(0, 500) }]);
  }
}

/** Stores the result of a request. When the request came too late, the next export repairs the portal. */
async function saveSent(job: ExportJob, row: PublicationRow): Promise<void> {
  try {
    await save(job, [row]);
  } catch (error) {
    if (error instanceof ExportTakenOver) await job.publications.noteLate(job.fence, row.affId, DOUBT_MS);
    throw error;
  }
}

/** Stops at the first error of the portal, after the requests under way have ended. @returns how many items are left */
async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<number> {
  const left = [...items];
  let failure: unknown = null;
  const next = (): T | undefined => (isOver() || failure !== null ? undefined : left.shift());
  const one = async (): Promise<void> => {
    for (let item = next(); item !== undefined; item = next()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, one));
  if (failure !== null) throw failure instanceof Error ? failure : new RetryLater('the portal does not answer');
  return left.length;
}

function embargoDueMs({ embargoEndsAtMs }: ScannedList): number | null {
  return embargoEndsAtMs === null ? null : Math.max(0, embargoEndsAtMs - Date.now());
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
