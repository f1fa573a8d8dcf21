import type { Database } from '@passerelle/database';
import { inactiveReason } from '@passerelle/domain';
import { Refused } from '../refused';
import type { ActedGateway, Actor } from './gateways';

export interface RevertWish {
  /** The token of a kept snapshot, or `previous` for the newest replaced snapshot. */
  to: string;
  reason: string;
  requestId?: string;
}

export const PREVIOUS = 'previous';

/** A revert reads no source, so a pause allows it. @throws Refused for an inactive gateway or a deleted snapshot. */
export async function revertGateway(
  { keptSnapshots, runRequests, audit }: Pick<Database, 'keptSnapshots' | 'runRequests' | 'audit'>,
  { name, through }: Actor,
  gateway: ActedGateway,
  { to, reason, requestId }: RevertWish,
): Promise<number> {
  const { id: gatewayId, crm, client } = gateway;
  const inactive = inactiveReason(gateway, new Date());
  if (inactive !== null) throw new Refused(`the gateway ${crm}/${client} does not run: ${inactive}`);
  const kept = await keptSnapshots.list(gatewayId);
  const earlier = kept.filter(({ isCurrent }) => !isCurrent);
  const target = to === PREVIOUS ? earlier[0] : kept.find(({ token }) => token === to);
  if (target === undefined) {
    throw new Refused(
      to === PREVIOUS
        ? `no earlier snapshot of ${crm}/${client} is kept`
        : `no snapshot ${to} of ${crm}/${client} is kept: "gateway snapshots" lists those that are`,
    );
  }
  if (target.isCurrent) throw new Refused(`the snapshot ${target.token} is already served`);
  const runId = await runRequests.requestRevert({
    ...{ gatewayId, token: target.token, reason, askedBy: name },
    ...(requestId !== undefined && { requestId }),
  });
  if (runId === null) throw new Refused(`the snapshot ${target.token} of ${crm}/${client} is no longer kept`);
  await audit.record([
    { who: name, through, act: 'gateway revert', crm, client, runId, after: { snapshot: target.token }, reason },
  ]);
  return runId;
}

/** Lets the next run publish the list that the revert replaced. @throws Refused without a guard. */
export async function releaseGateway(
  { revertGuards, audit }: Pick<Database, 'revertGuards' | 'audit'>,
  { name, through }: Actor,
  { id, crm, client }: Pick<ActedGateway, 'id' | 'crm' | 'client'>,
  reason?: string,
): Promise<void> {
  if (!(await revertGuards.release(id)))
    throw new Refused(`${crm}/${client} has no guard: it was not reverted, or its guard has ended`);
  await audit.record([
    {
      ...{ who: name, through, act: 'gateway release', crm, client, before: { guarded: true } },
      ...{ after: { guarded: false }, ...(reason !== undefined && { reason }) },
    },
  ]);
}
