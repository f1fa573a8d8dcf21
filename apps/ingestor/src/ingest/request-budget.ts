import { setTimeout as sleep } from 'node:timers/promises';
import type { HostBudgets } from '@passerelle/database';
import { type GatewaySettings, RetryLater } from '@passerelle/domain';

/** Requests a second to one host, unless the connector or the gateway's settings say otherwise. */
const DEFAULT_PER_SECOND = 20;

/** Waits until a request to the host may be sent. */
export type Admission = (host: string, signal: AbortSignal) => Promise<void>;

/**
 * The admission to a gateway's source: so many requests a second to each host and, where a gateway's settings say so, so
 * many a day. All gateways of a host in all processes share both. Where a host counts by account, gateways that name
 * theirs (`account`) share the day's requests with that account's gateways only.
 *
 * @throws RetryLater, from the admission, when the day's requests are used up.
 */
export function admissionOf(
  hostBudgets: HostBudgets,
  settings: Pick<GatewaySettings, 'requestsPerSecond' | 'requestsPerDay' | 'account'>,
  requestsPerSecond: number | undefined,
): Admission {
  const perSecond = settings.requestsPerSecond ?? requestsPerSecond ?? DEFAULT_PER_SECOND;
  const { requestsPerDay: perDay, account } = settings;
  return async (host, signal) => {
    if (perDay !== null) {
      const today = await hostBudgets.countToday(`${host} ${account}`, perDay);
      if (today.kind === 'exhausted') {
        throw new RetryLater(`the ${perDay} requests a day that ${host} may get are used up`, today.untilMs);
      }
    }
    const waitMs = await hostBudgets.reserve(host, perSecond);
    if (waitMs >= 1) await sleep(waitMs, undefined, { signal });
  };
}
