import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Quota, SourceConfig } from '@passerelle/connectors';
import type { HostBudgets } from '@passerelle/database';
import { type GatewaySettings, RetryLater } from '@passerelle/domain';

/** Requests a second to one host, unless its vendor's quota or the gateway's settings say otherwise. */
const DEFAULT_PER_SECOND = 20;

/** Waits until a request to the host may be sent. */
export type Admission = (host: string, signal: AbortSignal) => Promise<void>;

/** What decides how many requests a gateway may send. */
export interface Allowance {
  settings: Pick<GatewaySettings, 'requestsPerSecond' | 'requestsPerDay' | 'account'>;
  quota: Quota | undefined;
  source: SourceConfig;
}

/**
 * The admission to a gateway's source: so many requests a second to each host and, where the vendor's quota or the gateway's
 * settings say so, so many a day. All gateways of a host in all processes share both. Where a host counts by account,
 * gateways of one account (`account`, or whom the vendor counts by) share the day's requests with each other only.
 *
 * @throws RetryLater, from the admission, when the day's requests are used up.
 */
export function admissionOf(hostBudgets: HostBudgets, { settings, quota, source }: Allowance): Admission {
  return async (host, signal) => {
    const vendor = quota?.host === host ? quota : undefined;
    const perDay = settings.requestsPerDay ?? vendor?.requestsPerDay ?? null;
    if (perDay !== null) {
      const account = settings.account === '' ? fingerprint(vendor?.account(source)) : settings.account;
      const today = await hostBudgets.countToday(`${host} ${account}`, perDay);
      if (today.kind === 'exhausted') {
        throw new RetryLater(`the ${perDay} requests a day that ${host} may get are used up`, today.untilMs);
      }
    }
    const waitMs = await hostBudgets.reserve(host, requestsPerSecond(host, settings, quota));
    if (waitMs >= 1) await sleep(waitMs, undefined, { signal });
  };
}

/** How many requests a second a host may get: what the gateway's settings say, else its vendor, else what is usual. */
export function requestsPerSecond(
  host: string,
  settings: Pick<GatewaySettings, 'requestsPerSecond'>,
  quota: Quota | undefined,
): number {
  const vendor = quota?.host === host ? quota : undefined;
  return settings.requestsPerSecond ?? vendor?.requestsPerSecond ?? DEFAULT_PER_SECOND;
}

/** An account may be a credential: the database has only what tells it from others. */
function fingerprint(account: string | undefined): string {
  return account === undefined ? '' : createHash('sha256').update(account).digest('hex').slice(0, 16);
}
