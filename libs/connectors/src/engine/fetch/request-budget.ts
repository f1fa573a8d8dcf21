import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewaySettings, RetryLater } from '@passerelle/domain';
import type { Quota, SourceConfig } from '../../kit/contracts';

interface RequestSlot {
  key: string;
  slot: number;
  holder: string;
}

/** Counts the requests of all processes together. */
export interface CountedRequests {
  /** Reserves the next free moment for one request. @returns the wait until then, in ms */
  reserve(host: string, perSecond: number): Promise<number>;
  /** Counts one request for today, unless all `perDay` requests are used up. */
  countToday(account: string, perDay: number): Promise<{ kind: 'granted' } | { kind: 'exhausted'; untilMs: number }>;
  /** Takes one of `atOnce` slots for `forMs`, if one is free. */
  enter(key: string, atOnce: number, forMs: number): Promise<RequestSlot | null>;
  /** Keeps a slot for another `forMs`. */
  stay(slot: RequestSlot, forMs: number): Promise<void>;
  /** Releases a slot. */
  leave(slot: RequestSlot): Promise<void>;
}

/** Requests per second to one host, unless the vendor's quota or the gateway's settings say otherwise. */
const DEFAULT_PER_SECOND = 20;

/** How long a slot is kept unless its process renews it, and how often the process renews it. */
const SLOT_MS = 60_000;
const STAY_EVERY_MS = 20_000;
const POLL_MS = 100;

/**
 * Waits until a request may be sent. @returns a function to call after the answer, if simultaneous requests are limited
 */
type Admission = (host: string, signal: AbortSignal) => Promise<(() => void) | undefined>;

export interface Allowance {
  settings: Pick<GatewaySettings, 'requestsPerSecond' | 'requestsPerDay' | 'account'>;
  quota: Quota | undefined;
  source: SourceConfig;
}

/**
 * Limits the requests to each host: always per second; per day if the vendor's quota or the gateway's settings say so;
 * and at the same time if the vendor's quota says so. All gateways of a host share the limits, in all processes. If the
 * host counts by account (the setting `account`, or the vendor's own unit), only gateways of one account share the
 * limits per day and at the same time.
 * @throws RetryLater, from the admission, when the day's requests are used up.
 */
export function admissionOf(counted: CountedRequests, { settings, quota, source }: Allowance): Admission {
  return async (host, signal) => {
    const vendor = quota?.host === host ? quota : undefined;
    const perDay = settings.requestsPerDay ?? vendor?.requestsPerDay ?? null;
    const account = settings.account === '' ? fingerprint(vendor?.account(source)) : settings.account;
    if (perDay !== null) {
      const today = await counted.countToday(`${host} ${account}`, perDay);
      if (today.kind === 'exhausted') {
        throw new RetryLater(`the ${perDay} requests a day that ${host} may get are used up`, today.untilMs);
      }
    }
    const atOnce = vendor?.requestsAtOnce;
    const leave = atOnce === undefined ? undefined : await enter(counted, `${host} ${account}`, atOnce, signal);
    try {
      const waitMs = await counted.reserve(host, requestsPerSecond(host, settings, quota));
      if (waitMs >= 1) await sleep(waitMs, undefined, { signal });
    } catch (error) {
      leave?.();
      throw error;
    }
    return leave;
  };
}

/** Waits for a slot. @returns the function that releases it */
async function enter(counted: CountedRequests, key: string, atOnce: number, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    signal.throwIfAborted();
    const slot = await counted.enter(key, atOnce, SLOT_MS);
    if (slot !== null) {
      const staying = setInterval(() => {
        counted.stay(slot, SLOT_MS).catch(() => undefined);
      }, STAY_EVERY_MS);
      staying.unref();
      return () => {
        clearInterval(staying);
        // If the release fails, the slot is free again after a minute.
        counted.leave(slot).catch(() => undefined);
      };
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

export function requestsPerSecond(
  host: string,
  settings: Pick<GatewaySettings, 'requestsPerSecond'>,
  quota: Quota | undefined,
): number {
  const vendor = quota?.host === host ? quota : undefined;
  return settings.requestsPerSecond ?? vendor?.requestsPerSecond ?? DEFAULT_PER_SECOND;
}

/** A hash of the account, because an account may be a credential, which the database must not contain. */
function fingerprint(account: string | undefined): string {
  return account === undefined ? '' : createHash('sha256').update(account).digest('hex').slice(0, 16);
}
