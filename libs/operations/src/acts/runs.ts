import type { Database } from '@passerelle/database';
import type { GateReasonCode, RunView } from '@passerelle/domain';
import { Refused } from '../refused';
import { actedBy, type Actor, actorOfMany } from './gateways';

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

/** The only reason for which many runs are held at the same time: an upgrade caused it, not their sources. */
const HELD_FOR: GateReasonCode = 'mapping_changed';

/** The runs that are held only because a new version of a connector withdraws listings, in ascending order. */
export function heldForChangedMapping({ heldRuns }: Pick<Database, 'heldRuns'>): Promise<number[]> {
  return heldRuns.heldOnlyFor(HELD_FOR);
}

export interface PublishedRuns {
  published: number[];
  refused: { run: number; why: string }[];
}

/**
 * Publishes each run that is held only because a new version of a connector withdraws listings. A run that cannot be
 * published stays held, and the others are published. @param upTo the last run to publish; later ones stay held
 */
export async function publishChangedMappings(
  database: Pick<Database, 'heldRuns' | 'runHistory' | 'audit'>,
  actor: Actor,
  reason: string,
  upTo = Infinity,
): Promise<PublishedRuns> {
  const [published, refused]: [number[], PublishedRuns['refused']] = [[], []];
  const held = (await heldForChangedMapping(database)).filter((id) => id <= upTo);
  const part = await actorOfMany(database, actor, { act: 'run publish', gateways: held.length, reason });
  for (const id of held) {
    const run = await database.runHistory.find(id);
    if (run === null) continue;
    try {
      await decideRun(database, part, run, 'publish', reason);
      published.push(id);
    } catch (error) {
      // Known by its name: importing the class would load the driver of the database for every command.
      if (!(error instanceof Error && error.name === 'PublishRefused')) throw error;
      refused.push({ run: id, why: error.message });
    }
  }
  return { published, refused };
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
