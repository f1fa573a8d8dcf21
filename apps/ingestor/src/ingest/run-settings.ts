import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type OutboundPolicy, SpoolBudget } from '@passerelle/connectors';
import type { IngestorConfig } from '../config';

/** How runs are executed. */
export interface RunnerOptions {
  /** The name that is shown as the lease's holder. */
  holder: string;
  leaseSeconds: number;
  /** The announcer renews its term every 2 s. Without a renewal, another announcer replaces it after this time. */
  announcerSeconds: number;
  /** A run that still waits is queued again after this time, because the queue or a worker may have lost it. */
  announcedSeconds: number;
  /** The period of gateways that do not set one. */
  everySeconds: number;
  runTimeoutMs: number;
  keepUnreadableHours: number;
  /** 0: listings are mapped again only from the source. */
  remapSpreadHours: number;
}

const LEASE_SECONDS = 15;
const ANNOUNCER_SECONDS = 5;
const ANNOUNCED_SECONDS = 15;
const RUN_TIMEOUT_MS = 60 * 60_000;

export function runnerOptions({
  refreshEverySeconds,
  keepUnreadableHours,
  remapSpreadHours,
}: IngestorConfig): RunnerOptions {
  return {
    holder: `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`,
    leaseSeconds: LEASE_SECONDS,
    announcerSeconds: ANNOUNCER_SECONDS,
    announcedSeconds: ANNOUNCED_SECONDS,
    everySeconds: refreshEverySeconds,
    runTimeoutMs: RUN_TIMEOUT_MS,
    keepUnreadableHours,
    remapSpreadHours,
  };
}

const FETCH_TIMEOUT_MS = 30 * 60_000;
const FETCH_IDLE_TIMEOUT_MS = 60_000;
const MAX_FEED_BYTES = 4 * 1024 ** 3;

export function outboundPolicy(
  { allowPrivateSources, inboxDir }: IngestorConfig,
  spoolBudget: SpoolBudget,
): OutboundPolicy {
  return {
    allowPrivate: allowPrivateSources,
    inboxDir,
    maxBytes: MAX_FEED_BYTES,
    timeoutMs: FETCH_TIMEOUT_MS,
    idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS,
    spoolBudget,
  };
}

const MEBIBYTE = 1024 ** 2;

export function spoolBudgetOf({
  spoolDir,
  fetchSpoolMb,
}: Pick<IngestorConfig, 'spoolDir' | 'fetchSpoolMb'>): SpoolBudget {
  return new SpoolBudget({ folder: spoolDir ?? undefined, diskBytes: fetchSpoolMb * MEBIBYTE });
}
