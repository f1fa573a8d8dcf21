import {
  type Connector,
  type FeedMemory,
  type FeedReading,
  type FeedSummary,
  type OutboundPolicy,
  openFeed,
} from '@passerelle/connectors';
import type { ClaimedRun, Database, IngestGateway, SnapshotWriter } from '@passerelle/database';
import {
  AccessRefused,
  DEFAULT_THRESHOLDS,
  type GateReason,
  type GateReasonCode,
  type GateThresholds,
  inactiveReason,
  judgeRun,
  noFigures,
  type RunDifference,
  type RunFigures,
} from '@passerelle/domain';
import { nowhere } from './dry-run';
import { HeldVersions } from './held-versions';
import { movedRecords } from './moved-records';
import { admissionOf } from './request-budget';
import { RunNotes } from './run-notes';
import { type Candidate, SnapshotAssembly } from './snapshot-assembly';

export interface IngestDependencies {
  database: Database;
  connectors: { get(code: string): Connector | undefined };
  outbound: OutboundPolicy;
  /** Opens sealed credentials; null when the process has no SECRETS_KEY. */
  openCredentials: ((sealed: Buffer) => Record<string, string>) | null;
  signal: AbortSignal;
  /** Called when the reading begins, with what tells how far it has come. */
  onReading: (progress: () => RunFigures) => void;
}

/** The gateway was disabled, or its contract ended, after the run was asked for. */
export class GatewayInactive extends Error {}

/** How a run came out, for the log. */
export interface IngestResult {
  state: 'published' | 'unchanged' | 'held';
  figures: RunFigures;
  reasonCode: GateReasonCode | null;
  reason: string | null;
}

/**
 * One run, from the source to the served snapshot: fetch, open, slice, hash, parse and map only what changed, judge,
 * publish. Ends the run in the database when it comes to a verdict.
 *
 * @throws FeedError when the feed cannot be read; the current snapshot stays.
 * @throws PublishRefused when another worker has taken the gateway over.
 * @throws RunCancelled, GatewayInactive
 */
export async function ingest(run: ClaimedRun, dependencies: IngestDependencies): Promise<IngestResult> {
  const { database } = dependencies;
  const gateway = await loadGateway(run, database);
  const inactive = inactiveReason(gateway, new Date());
  if (inactive !== null) throw new GatewayInactive(`the gateway does not run: ${inactive}`);
  const connector = findConnector(gateway, dependencies);
  const current = new HeldVersions(
    gateway.currentSnapshotId === null ? [] : database.readVersions(gateway.currentSnapshotId),
  );

  const notes = new RunNotes(database.runs, run);
  const writer = database.snapshotWriter(gateway.id, run.id);
  const twice = new Set<string>();
  const assembly = new SnapshotAssembly(current, run.dryRun ? nowhere() : writer, (affId) => {
    twice.add(affId);
    notes.warn('duplicate_id', 'affId', affId);
  });

  const reading = openFeed(connector, feedRequest(gateway, connector, assembly, dependencies));
  dependencies.onReading(() => progressOf(reading, notes));
  try {
    await readAll(reading, assembly, notes);
    const summary = reading.summary();
    if (summary.notModified) return await confirmUnread(run, gateway, summary, database);

    const candidate = await assembly.complete(summary.coverage);
    if (connector.fetch.kind === 'pages' && twice.size > 0) {
      const habitual = await database.runs.earlierDuplicates(run);
      summary.incomplete ??= movedRecords(twice, habitual, candidate.removed);
    }
    const figures = await settleFigures(candidate, summary, notes);
    return await decide({ run, gateway, current, candidate, summary, figures, writer, database });
  } catch (error) {
    // What was noticed so far explains the failure; that it cannot be stored must not hide it.
    await notes.flush().catch(() => undefined);
    await writer.abandon().catch(() => undefined);
    throw error;
  }
}

async function loadGateway(run: ClaimedRun, database: Database): Promise<IngestGateway> {
  const gateway = await database.gateways.loadForIngest(run.gatewayId);
  if (gateway === null) throw new AccessRefused('the gateway was removed');
  return gateway;
}

function findConnector(gateway: IngestGateway, { connectors }: IngestDependencies): Connector {
  const connector = connectors.get(gateway.crm);
  if (connector === undefined) throw new AccessRefused(`no connector "${gateway.crm}" is registered in this version`);
  return connector;
}

function feedRequest(
  gateway: IngestGateway,
  connector: Connector,
  assembly: SnapshotAssembly,
  { database, outbound, openCredentials, signal }: IngestDependencies,
): Parameters<typeof openFeed>[1] {
  if (gateway.credentials !== null && openCredentials === null) {
    throw new AccessRefused('the gateway has credentials and this ingestor has no SECRETS_KEY to read them with');
  }
  const credentials = gateway.credentials === null ? {} : (openCredentials?.(gateway.credentials) ?? {});
  return {
    source: { url: gateway.sourceUrl, credentials, settings: gateway.settings },
    // Without a snapshot there is nothing that "not modified" could confirm.
    previous: gateway.currentSnapshotId === null ? {} : gateway.feedMemory,
    beforeRecords: () => assembly.begin(),
    isKnown: (hash) => assembly.isKnown(hash),
    outbound: { ...outbound, admit: admissionOf(database, gateway, connector.requestsPerSecond) },
    signal,
  };
}

async function readAll(reading: FeedReading, assembly: SnapshotAssembly, notes: RunNotes): Promise<void> {
  try {
    for await (const outcome of reading.outcomes) {
      await assembly.take(outcome);
      if (outcome.kind === 'rejected' || outcome.kind === 'withdrawn') await notes.reject(outcome.rejection);
    }
  } finally {
    for (const warning of reading.progress().warnings) notes.add(warning);
  }
}

function progressOf(reading: FeedReading, notes: RunNotes): RunFigures {
  const { fetchedBytes, records } = reading.progress();
  return { ...noFigures(), fetchedBytes, records, rejected: notes.rejectedCount, warnings: notes.warningCount };
}

async function confirmUnread(
  run: ClaimedRun,
  gateway: IngestGateway,
  summary: FeedSummary,
  database: Database,
): Promise<IngestResult> {
  const figures = { ...noFigures(), fetchedBytes: summary.fetchedBytes, unchanged: gateway.currentTotal };
  return finishUnchanged(run, gateway, figures, summary.memory, database);
}

async function settleFigures(candidate: Candidate, summary: FeedSummary, notes: RunNotes): Promise<RunFigures> {
  await notes.flush();
  const { added, changed, unchanged, removed } = candidate;
  return {
    fetchedBytes: summary.fetchedBytes,
    records: summary.records,
    ...{ added, changed, unchanged, removed },
    rejected: notes.rejectedCount,
    warnings: notes.warningCount,
  };
}

interface Decision {
  run: ClaimedRun;
  gateway: IngestGateway;
  current: HeldVersions;
  candidate: Candidate;
  summary: FeedSummary;
  figures: RunFigures;
  writer: SnapshotWriter;
  database: Database;
}

async function decide(decision: Decision): Promise<IngestResult> {
  const { run, gateway, current, candidate, summary, figures, database } = decision;
  const isFirst = gateway.currentSnapshotId === null;
  const verdict = judgeRun(
    {
      current: isFirst ? null : { total: current.length, fill: current.countFills() },
      candidate: { total: candidate.versionIds.length, fill: candidate.fill },
      records: figures.records,
      rejected: figures.rejected,
      added: candidate.added,
      removed: candidate.removed,
      incomplete: summary.incomplete,
      isForeign: candidate.isForeign,
    },
    thresholdsOf(gateway.settings),
  );
  if (!verdict.publish && !run.forced) return hold(decision, verdict.reasons);
  if (!isFirst && candidate.isCurrent) {
    await decision.writer.abandon();
    if (candidate.rehashed.length > 0 && !run.dryRun) await database.rehash(candidate.rehashed);
    return finishUnchanged(run, gateway, figures, summary.memory, database);
  }
  return publish(decision, verdict.publish ? [] : verdict.reasons);
}

async function publish(
  { run, gateway, candidate, summary, figures, writer, database }: Decision,
  overruled: readonly GateReason[],
): Promise<IngestResult> {
  if (run.dryRun) {
    await database.runs.end(run, { state: 'published', figures, difference: differenceOf(candidate) });
  } else {
    const snapshotId = await writer.finish(candidate.versionIds, candidate.fill, candidate.changes);
    await database.publish({
      ...{ runId: run.id, gatewayId: gateway.id, fence: run.fence, snapshotId, figures },
      baseSnapshotId: gateway.currentSnapshotId,
      feedMemory: summary.memory,
      ...(overruled.length > 0 && { overruled: overruling(overruled) }),
    });
    if (candidate.rehashed.length > 0) await database.rehash(candidate.rehashed);
  }
  return { state: 'published', figures, reasonCode: null, reason: null };
}

/** What the gate had to say is kept with a run that passed it by order. */
function overruling(verdict: readonly GateReason[]): {
  reasonCode: string;
  reason: string;
  verdict: readonly GateReason[];
} {
  return { reasonCode: 'forced', reason: `published by force: ${sentenceOf(verdict)}`, verdict };
}

function sentenceOf(reasons: readonly GateReason[]): string {
  return reasons.map(({ message }) => message).join('; ');
}

/** Enough to recognise by eye; the counts are in the figures. */
const SHOWN_CHANGES = 50;

function differenceOf({ changes }: Candidate): RunDifference {
  const difference: RunDifference = { added: [], changed: [], removed: [] };
  for (const { kind, affId } of changes) {
    if (difference[kind].length < SHOWN_CHANGES) difference[kind].push(affId);
  }
  return difference;
}

async function hold(decision: Decision, reasons: GateReason[]): Promise<IngestResult> {
  const { run, gateway, candidate, summary, figures, writer, database } = decision;
  const reason = sentenceOf(reasons);
  const snapshotId = run.dryRun ? null : await writer.finish(candidate.versionIds, candidate.fill, candidate.changes);
  await database.runs.end(run, {
    state: 'held',
    reasonCode: reasons[0]?.code ?? 'held',
    reason,
    figures,
    snapshotId,
    baseSnapshotId: gateway.currentSnapshotId,
    feedMemory: summary.memory,
    verdict: reasons,
    ...(run.dryRun && { difference: differenceOf(candidate) }),
  });
  return { state: 'held', figures, reasonCode: reasons[0]?.code ?? null, reason };
}

async function finishUnchanged(
  run: ClaimedRun,
  gateway: IngestGateway,
  figures: RunFigures,
  feedMemory: FeedMemory,
  database: Database,
): Promise<IngestResult> {
  if (gateway.currentSnapshotId === null) throw new Error('there is no snapshot to confirm');
  if (run.dryRun) {
    await database.runs.end(run, { state: 'unchanged', figures });
  } else {
    await database.confirm({
      ...{ runId: run.id, gatewayId: gateway.id, fence: run.fence, figures, feedMemory },
      baseSnapshotId: gateway.currentSnapshotId,
    });
  }
  return { state: 'unchanged', figures, reasonCode: null, reason: null };
}

/** Settings of a gateway that move the publish gate; `gateway add --set` has checked them. */
function thresholdsOf(settings: Readonly<Record<string, string>>): GateThresholds {
  const number = (name: string, fallback: number): number => {
    const value = Number(settings[name] ?? NaN);
    return Number.isFinite(value) ? value : fallback;
  };
  return {
    maxVanishedShare: number('max-vanished-share', DEFAULT_THRESHOLDS.maxVanishedShare),
    maxVanishedCount: number('max-vanished-count', DEFAULT_THRESHOLDS.maxVanishedCount),
    maxReplacedShare: number('max-replaced-share', DEFAULT_THRESHOLDS.maxReplacedShare),
    maxFillDrop: number('max-fill-drop', DEFAULT_THRESHOLDS.maxFillDrop),
  };
}
