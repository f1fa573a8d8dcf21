import { type OutboundPolicy, SpoolRoom } from '@passerelle/connectors';
import type { IngestorConfig } from '../config';

const FETCH_TIMEOUT_MS = 30 * 60_000;
const FETCH_IDLE_TIMEOUT_MS = 60_000;
const MAX_FEED_BYTES = 4 * 1024 ** 3;

/** What every run may reach, and how much it may fetch. */
export function outboundPolicy(
  { allowPrivateSources, inboxDir }: IngestorConfig,
  spoolRoom: SpoolRoom,
): OutboundPolicy {
  return {
    allowPrivate: allowPrivateSources,
    inboxDir,
    maxBytes: MAX_FEED_BYTES,
    timeoutMs: FETCH_TIMEOUT_MS,
    idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS,
    spoolRoom,
  };
}

const MEBIBYTE = 1024 ** 2;

/** Where all runs of the process put what they fetch. */
export function spoolRoomOf({ spoolDir, fetchSpoolMb }: Pick<IngestorConfig, 'spoolDir' | 'fetchSpoolMb'>): SpoolRoom {
  return new SpoolRoom({ folder: spoolDir ?? undefined, diskBytes: fetchSpoolMb * MEBIBYTE });
}
