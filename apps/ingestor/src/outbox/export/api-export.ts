import type { ExportOutcome } from '@passerelle/database';
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

/** An attempt of an export to an API. */
export interface ApiOutcome extends ExportOutcome {
  /** Whether more adverts are to be sent. */
  isPartial: boolean;
}

/** Sends the adverts that changed, one by one. */
export async function exportAdverts(job: ExportJob<ApiTarget>, client: PortalClient): Promise<ApiOutcome> {
  const { placement, configHash, known } = job;
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
  await inParallel(now, (step) => carryOut(job, client, scan, step));
  const isPartial = now.length < steps.length;
  const pollInMs = isPartial ? null : await pollAdverts(job, client, scan, inParallel);
  return {
    ...end,
    ...{ isPartial, result: steps.length > 0 ? 'sent' : 'unchanged', dueInMs: earliest(end.dueInMs, pollInMs) },
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

/** Finds out what became of requests whose answer was lost. The content that the portal has then is unknown, so it is sent again. */
async function settle(job: ExportJob<ApiTarget>, client: PortalClient): Promise<void> {
  const open = [...job.known.values()].filter(({ intent }) => intent !== null);
  await inParallel(open, async (row) => {
    const settled: PublicationRow = { ...row, intent: null, intentHash: null, hash: null };
    if (row.intent === 'create') {
      const portalId = await client.find(row.advertId);
      if (portalId !== undefined) Object.assign(settled, { portalId, state: 'sent', sentAtMs: Date.now() });
    }
    await save(job, [settled]);
  });
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
  const before = job.known.get(affId) ?? newRow(affId, ready?.advertId ?? affId);
  const hash = ready?.hash ?? null;
  const isSame = hash !== null && hash === before.hash;
  const intended: PublicationRow = {
    ...before,
    intent: action,
    intentHash: hash,
    tries: isSame ? before.tries + 1 : 1,
  };
  await save(job, [intended]);
  if (action === 'remove') {
    if (before.portalId !== null) await client.remove(before.portalId);
    const removed = removedRow(intended, scan);
    await save(job, [
      job.target.acknowledges && before.portalId !== null
        ? { ...removed, state: 'removing', portalId: before.portalId, sentAtMs: Date.now() }
        : removed,
    ]);
    return;
  }
  if (ready === undefined || ready.text === null) return;
  const sent: PublicationRow = {
    ...intended,
    ...{ intent: null, intentHash: null, hash, versionId: ready.versionId, reasonCode: null, reason: null },
    ...{ sentAtMs: Date.now(), askedAtMs: null },
  };
  try {
    const portalId = await put(job, client, before, ready.text);
    await save(job, [{ ...sent, portalId, state: job.target.acknowledges ? 'sent' : 'delivered' }]);
  } catch (error) {
    if (!(error instanceof AdvertRefused)) throw error;
    await save(job, [{ ...sent, state: 'refused', reasonCode: 'refused', reason: error.message.slice(0, 500) }]);
  }
}

async function put(
  job: ExportJob<ApiTarget>,
  client: PortalClient,
  before: PublicationRow,
  text: string,
): Promise<string> {
  const { advertId } = before;
  // Former software may have made an advert with this id.
  const known = before.portalId ?? (job.placement.idScheme === 'own' ? undefined : await client.find(advertId));
  return known === undefined ? client.create(text, advertId) : client.replace(known, text, advertId);
}

/** Stops at the first error of the portal, after the requests under way have ended. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  let failure: unknown = null;
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && failure === null; item = left.shift()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, one));
  if (failure !== null) throw failure instanceof Error ? failure : new RetryLater('the portal does not answer');
}

function embargoDueMs({ embargoEndsAtMs }: ScannedList): number | null {
  return embargoEndsAtMs === null ? null : Math.max(0, embargoEndsAtMs - Date.now());
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
