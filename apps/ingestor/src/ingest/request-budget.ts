import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, IngestGateway } from '@passerelle/database';
import { RetryLater } from '@passerelle/domain';

/** Requests a second to one host, unless the connector or the gateway's settings say otherwise. */
const DEFAULT_PER_SECOND = 20;

/** Waits until a request to the host may be sent. */
export type Admission = (host: string, signal: AbortSignal) => Promise<void>;

/**
 * The admission to a gateway's source: a rate for each host, and a number for each day where one is set, both shared by
 * all gateways of the host in all processes. Where a host counts by account, gateways that name theirs (`account`) have
 * the day's number to themselves.
 *
 * @throws RetryLater, from the admission, when the day's requests are used up.
 */
export function admissionOf(
  database: Database,
  gateway: Pick<IngestGateway, 'settings'>,
  requestsPerSecond: number | undefined,
): Admission {
  const perSecond = positive(gateway.settings['requests-per-second']) ?? requestsPerSecond ?? DEFAULT_PER_SECOND;
  const perDay = positive(gateway.settings['requests-per-day']);
  return async (host, signal) => {
    if (perDay !== undefined) {
      const today = await database.hostBudgets.countToday(`${host} ${gateway.settings['account'] ?? ''}`, perDay);
      if (today.kind === 'exhausted') {
        throw new RetryLater(`the ${perDay} requests a day that ${host} may get are used up`, today.untilMs);
      }
    }
    const waitMs = await database.hostBudgets.reserve(host, perSecond);
    if (waitMs >= 1) await sleep(waitMs, undefined, { signal });
  };
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text ?? NaN);
  return value > 0 ? value : undefined;
}
