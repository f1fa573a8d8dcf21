import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, IngestGateway } from '@passerelle/database';
import { RetryLater } from '@passerelle/domain';

/** Requests a second to one host, unless the connector or the gateway's settings say otherwise. */
const DEFAULT_PER_SECOND = 20;

/** Waits until a request to the host may be sent. */
export type Admission = (host: string, signal: AbortSignal) => Promise<void>;

/**
 * The admission to a gateway's source: a rate for each host, and a number for each day where one is set, both shared by
 * all processes. The day's number belongs to the account, for that is how quotas are given.
 *
 * @throws RetryLater, from the admission, when the day's requests are used up.
 */
export function admissionOf(
  database: Database,
  gateway: Pick<IngestGateway, 'settings' | 'credentials'>,
  requestsPerSecond: number | undefined,
): Admission {
  const perSecond = positive(gateway.settings['requests-per-second']) ?? requestsPerSecond ?? DEFAULT_PER_SECOND;
  const perDay = positive(gateway.settings['requests-per-day']);
  return async (host, signal) => {
    const key = perDay === undefined ? host : `${host} ${accountOf(gateway)}`;
    const reservation = await database.hostBudgets.reserve(key, { perSecond, perDay });
    if (reservation.kind === 'exhausted') {
      throw new RetryLater(`the ${perDay} requests a day that ${host} may get are used up`, reservation.untilMs);
    }
    if (reservation.waitMs >= 1) await sleep(reservation.waitMs, undefined, { signal });
  };
}

function accountOf({ settings, credentials }: Pick<IngestGateway, 'settings' | 'credentials'>): string {
  const identity = settings['account'] ?? credentials?.toString('base64') ?? '';
  return createHash('sha256').update(identity).digest('hex').slice(0, 12);
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text ?? NaN);
  return value > 0 ? value : undefined;
}
