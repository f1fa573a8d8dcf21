import { setTimeout as sleep } from 'node:timers/promises';
import { PUBLICATION_DUE_CHANNEL } from '@passerelle/domain';
import type { Pool } from 'pg';

/** Until then every process that listens has heard. */
const HEARD_MS = 100;

/**
 * Tells the API's processes that a snapshot of a gateway is about to be published, and waits until they have heard: from
 * there on they keep the walks of readers where all of them see them. To be called just before a list is replaced.
 */
export async function announcePublication(pool: Pool, gatewayId: number): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [PUBLICATION_DUE_CHANNEL, String(gatewayId)]);
  await sleep(HEARD_MS);
}
