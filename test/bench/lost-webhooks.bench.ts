import type { WebhookCrmName } from '../support/webhook-crms';
import { sendUnreliably } from '../support/unreliable-crm';
import type { Bench, Finding } from './bench';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const CHANGES = sized(1_000, 20);

/** By how it is compared. */
const CRMS: Readonly<Record<WebhookCrmName, string>> = {
  propstack: 'its list is compared',
  sweepbright: 'it has no list, and is asked for one listing after the other',
};

/** Counts the listings that differ after one comparison when webhooks of the CRM are lost, doubled and out of order. */
export const lostWebhooks: Bench = { name: 'lost-calls', run: measureLostWebhooks };

async function measureLostWebhooks(surroundings: Surroundings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const crm of Object.keys(CRMS) as WebhookCrmName[]) {
    const { lost, doubled, late, runs, differing, missed } = await sendUnreliably(
      surroundings,
      crm,
      CHANGES,
      Date.now(),
    );
    findings.push({
      what: `listings that differ from those of ${crm} after ${CHANGES} changes and one comparison`,
      ...{ value: differing.after.length, goal: { max: 0 }, unit: 'listings' },
      detail: `${CRMS[crm]}; ${lost} calls lost, ${doubled} doubled, ${late} out of order; ${runs} runs; ${differing.before.length} differed before, and the run named ${missed}`,
    });
  }
  return findings;
}
