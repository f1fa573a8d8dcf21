import { SecretBox } from '@passerelle/domain';
import { type ConnectorRegistry, MappingThreads, type OutboundPolicy } from '@passerelle/connectors';
import type { Database } from '@passerelle/database';
import { type MediaLocation, openMedia } from '@passerelle/media';
import { NO_TRACES } from '@passerelle/traces';
import { pino } from 'pino';
import { NotifiedListings } from '../../apps/ingestor/src/ingest/notified-listings';
import { FeedbackNotes } from '../../apps/ingestor/src/ingest/feedback-notes';
import { GatewayFeeds, SlowSources } from '../../apps/ingestor/src/ingest/gateway-feeds';
import { GatewayRunner } from '../../apps/ingestor/src/ingest/gateway-runner';
import { ListProtection } from '../../apps/ingestor/src/ingest/list-protection';
import { Ingest } from '../../apps/ingestor/src/ingest/ingest';
import { RunPreparation } from '../../apps/ingestor/src/ingest/run-preparation';
import type { RunEnd } from '../../apps/ingestor/src/ingest/run-end';
import { PhotoIntakes } from '../../apps/ingestor/src/ingest/photo-intake';
import { Remapping } from '../../apps/ingestor/src/ingest/remapping';
import { Reverting } from '../../apps/ingestor/src/ingest/reverting';
import { RunWatch } from '../../apps/ingestor/src/ingest/run-watch';
import type { RunnerOptions } from '../../apps/ingestor/src/ingest/run-settings';
import { GatewayMemories } from '../../apps/ingestor/src/ingest/source-memory';
import { SourceSecrets } from '../../apps/ingestor/src/ingest/source-secrets';
import { ProcessingSlots } from '../../apps/ingestor/src/ingest/processing-slots';

export interface TestRunner {
  registry: ConnectorRegistry;
  outbound: Pick<OutboundPolicy, 'allowPrivate'> & Partial<OutboundPolicy>;
  secretsKey?: string;
  /** The location for photos. By default, storing photos fails. */
  media?: { place: MediaLocation; baseUrl: string };
  options?: Partial<RunnerOptions>;
  /** Threads for mapping. By default, records are mapped in the thread that reads the feed. */
  threads?: MappingThreads;
  onRunEnd?: (end: RunEnd) => void;
}

const OUTBOUND = { inboxDir: '/nonexistent', maxBytes: 50_000_000, timeoutMs: 60_000, idleTimeoutMs: 10_000 };
const NOWHERE = { place: { folder: '/dev/null/photos' }, baseUrl: 'https://photos.example.org' };
const NO_THREADS = new MappingThreads({ most: 0 });
const OPTIONS: RunnerOptions = {
  ...{ holder: 'the test', leaseSeconds: 15, everySeconds: 3600, runTimeoutMs: 60_000 },
  ...{ announcerSeconds: 5, announcedSeconds: 15, keepUnreadableHours: 72 },
  remapSpreadHours: 24,
};

/** The part of an ingestor that executes runs. It uses an open database, and no queue. */
function gatewayRunner(database: Database, runner: TestRunner): GatewayRunner {
  const { gateways, snapshots, photos, leases, runs, runNotes, schedule, hostBudgets, sourceMemories } = database;
  const { webhookProcessing, keptListings, reverts, revertGuards, runRequests, sourceFeedback } = database;
  const { registry, secretsKey = null, media = NOWHERE, threads = NO_THREADS, onRunEnd = () => undefined } = runner;
  const options = { ...OPTIONS, ...runner.options };
  const outbound = { ...OUTBOUND, ...runner.outbound };
  const log = pino({ level: 'silent' });
  const intakes = new PhotoIntakes(photos, openMedia(media.place), media.baseUrl);
  const box = secretsKey === null ? null : new SecretBox(secretsKey);
  const feeds = new GatewayFeeds(
    registry,
    outbound,
    new SourceSecrets(box),
    hostBudgets,
    intakes,
    new GatewayMemories(sourceMemories, box),
    threads,
    new SlowSources(),
    options,
  );
  const protection = new ListProtection(keptListings, revertGuards, options);
  const preparation = new RunPreparation(gateways, snapshots, photos, intakes, runs, protection);
  const slots = new ProcessingSlots({ ingestConcurrency: 1 });
  const ingest = new Ingest(
    preparation,
    feeds,
    slots,
    new NotifiedListings(webhookProcessing, runRequests),
    new FeedbackNotes(sourceFeedback, new SourceSecrets(box), pino({ level: 'silent' })),
  );
  const watch = new RunWatch(leases, runs, options);
  const metrics = { countRun: onRunEnd };
  return new GatewayRunner(
    leases,
    runs,
    runNotes,
    schedule,
    snapshots,
    ingest,
    new Reverting(gateways, reverts, snapshots, log),
    new Remapping(preparation, feeds, slots, database.remaps, runNotes),
    watch,
    metrics,
    options,
    log,
    NO_TRACES,
  );
}

/** Executes the waiting run of a gateway. */
export async function runWaiting(
  database: Database,
  gatewayId: number,
  runner: TestRunner,
  shutdown = new AbortController(),
): Promise<void> {
  await gatewayRunner(database, runner).run(gatewayId, shutdown.signal);
}
