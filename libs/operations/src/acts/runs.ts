import type { Database } from '@passerelle/database';
import type { RunView } from '@passerelle/domain';
import { Refused } from '../refused';
import { actedBy, type Actor } from './gateways';

export type Verdict = 'publish' | 'discard';

/** If two operators decide, the second gets an error that names the first decision. @throws PublishRefused */
export async function decideRun(
  { heldRuns, audit }: Pick<Database, 'heldRuns' | 'audit'>,
  actor: Actor,
  { id, crm, client }: Pick<RunView, 'id' | 'crm' | 'client'>,
  verdict: Verdict,
  reason: string,
): Promise<void> {
  const decision = { by: actor.name, reason };
  if (verdict === 'publish') await heldRuns.publish(id, decision);
  else await heldRuns.discard(id, decision);
  const after = { state: verdict === 'publish' ? 'published' : 'discarded' };
  await audit.record([
    { ...actedBy(actor), act: `run ${verdict}`, crm, client, runId: id, before: { state: 'held' }, after, reason },
  ]);
}

/** Stops a run that is queued or running. @throws Refused for a run that has ended. */
export async function cancelRun(
  { runRequests, runHistory, audit }: Pick<Database, 'runRequests' | 'runHistory' | 'audit'>,
  { name, through }: Actor,
  { id, crm, client, state: before }: Pick<RunView, 'id' | 'crm' | 'client' | 'state'>,
): Promise<void> {
  if (!(await runRequests.requestCancel(id))) {
    const run = await runHistory.find(id);
    throw new Refused(`run ${id} is over: it is ${run?.state ?? before}`);
  }
  await audit.record([
    {
      who: name,
      through,
      act: 'run cancel',
      crm,
      client,
      runId: id,
      before: { state: before },
      after: { cancelled: true },
    },
  ]);
}
