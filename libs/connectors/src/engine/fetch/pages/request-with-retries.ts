import { setTimeout as sleep } from 'node:timers/promises';
import { RetryLater } from '@passerelle/domain';
import type { SourceRequest } from '../../../kit/contracts';
import type { Answer, OutboundSession } from '../http/outbound-session';
import type { Conditions } from '../http/redirects';

const MAX_RETRY_AFTER_WAITS = 3;
const MAX_RETRY_AFTER_MS = 30_000;
const BACK_OFFS_MS = [300, 1500];

/**
 * Sends a request. Obeys `Retry-After` up to three times and up to 30 s each, and retries twice after an outage.
 * @throws FeedError
 * @param sign signs the request for each attempt, because a signature may contain the time.
 */
export async function requestWithRetries(
  session: OutboundSession,
  request: SourceRequest,
  signal: AbortSignal,
  { sign, conditions }: { sign: (request: SourceRequest) => SourceRequest; conditions?: Conditions },
): Promise<Answer> {
  let askedWaits = 0;
  let outages = 0;
  for (;;) {
    try {
      return await session.request(sign(request), conditions);
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
      let waitMs: number | undefined;
      if (error.retryAfterMs === undefined) waitMs = BACK_OFFS_MS[outages++];
      else if (askedWaits++ < MAX_RETRY_AFTER_WAITS && error.retryAfterMs <= MAX_RETRY_AFTER_MS)
        waitMs = error.retryAfterMs;
      if (waitMs === undefined) throw error;
      await waitFor(waitMs, signal);
    }
  }
}

/** Sleeps. @throws the signal's reason when it is aborted meanwhile. */
export async function waitFor(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(waitMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
