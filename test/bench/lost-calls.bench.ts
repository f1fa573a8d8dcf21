import { loseCalls } from '../support/unreliable-crm';
import type { Bench, Finding } from './bench';
import type { Surroundings } from './surroundings';

const CHANGES = 1_000;

/** What a list lacks when calls of its CRM are lost, doubled and out of order, after one comparison. */
export const lostCalls: Bench = { name: 'lost-calls', run: measureLostCalls };

async function measureLostCalls(surroundings: Surroundings): Promise<Finding[]> {
  const { lost, doubled, late, runs, differing, missed } = await loseCalls(surroundings, CHANGES, Date.now());
  return [
    {
      what: `listings that differ from the CRM's after ${CHANGES} changes and one comparison`,
      ...{ value: differing.after.length, goal: { max: 0 }, unit: 'listings' },
      detail: `${lost} calls lost, ${doubled} doubled, ${late} out of order; ${runs} runs; ${differing.before.length} differed before, and the run named ${missed}`,
    },
  ];
}
