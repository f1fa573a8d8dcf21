import type { Database } from '@passerelle/database';
import {
  type AuditAct,
  type AuditEntry,
  type AuditWay,
  type GatewayPause,
  inactiveReason,
  pausedReason,
} from '@passerelle/domain';
import { Refused } from '../refused';

export interface Actor {
  name: string;
  through: AuditWay;
  /** The entry of the act on many gateways that this act is part of. */
  partOf?: number;
}

/** The actor's part of an audit entry. */
export function actedBy({ name, through, partOf }: Actor): Pick<AuditEntry, 'who' | 'through' | 'partOf'> {
  return { who: name, through, ...(partOf !== undefined && { partOf }) };
}

/** Records an act on many gateways as one entry. @returns the actor of its parts; the same actor for a single gateway */
export async function actorOfMany(
  { audit }: Pick<Database, 'audit'>,
  actor: Actor,
  { act, gateways, reason }: { act: AuditAct; gateways: number; reason?: string },
): Promise<Actor> {
  if (gateways < 2) return actor;
  const entry = { ...actedBy(actor), act, after: { gateways }, ...(reason !== undefined && { reason }) };
  return { ...actor, partOf: await audit.begin(entry) };
}

/** The facts about a gateway that an operator's action needs. `contractEnd` is `YYYY-MM-DD`. */
export interface ActedGateway {
  id: number;
  crm: string;
  client: string;
  enabled: boolean;
  contractEnd: string | null;
  paused: GatewayPause | null;
}

/** Enables or disables a gateway. Records nothing if the gateway is in that state already. */
export async function setGatewayEnabled(
  { gateways, audit }: Pick<Database, 'gateways' | 'audit'>,
  actor: Actor,
  { id, crm, client, enabled }: ActedGateway,
  isEnabled: boolean,
  reason?: string,
): Promise<void> {
  await gateways.setEnabled(id, isEnabled);
  if (enabled === isEnabled) return;
  await audit.record([
    {
      ...{ ...actedBy(actor), act: isEnabled ? 'gateway enable' : 'gateway disable', crm, client },
      ...{ before: { enabled }, after: { enabled: isEnabled } },
      ...(reason !== undefined && { reason }),
    },
  ]);
}

export interface RunWishes {
  act: 'ingest' | 'retry';
  dryRun?: boolean;
  /** Whether to publish a list that the publish gate would hold. */
  forced?: boolean;
  requestId?: string;
  reason?: string;
}

/** Why no run of a gateway can start, as a clause; null when a run can start. A paused gateway accepts dry runs. */
export function whyNoRun(
  gateway: Pick<ActedGateway, 'enabled' | 'contractEnd' | 'paused'>,
  now: Date,
  isDryRun: boolean,
): string | null {
  return inactiveReason(gateway, now) ?? (isDryRun ? null : pausedReason(gateway.paused));
}

const TRIGGERS = { console: 'ops', ops: 'ops', http: 'http' } as const;

/** A paused gateway accepts dry runs. @returns the id of the run that fulfils the request. @throws Refused */
export async function requestRun(
  { runRequests, audit }: Pick<Database, 'runRequests' | 'audit'>,
  actor: Actor,
  gateway: ActedGateway,
  { act, dryRun = false, forced = false, requestId, reason }: RunWishes,
): Promise<number> {
  const { id: gatewayId, crm, client } = gateway;
  const { name, through } = actor;
  const inactive = whyNoRun(gateway, new Date(), dryRun);
  if (inactive !== null) throw new Refused(`the gateway ${crm}/${client} does not run: ${inactive}`);
  const runId = await runRequests.request({
    ...{ gatewayId, trigger: act === 'retry' ? 'retry' : TRIGGERS[through], dryRun, askedBy: name },
    ...(forced && { forced, forcedBy: name }),
    ...(requestId !== undefined && { requestId }),
  });
  const after = { ...(dryRun && { dry_run: true }), ...(forced && { forced: true }) };
  await audit.record([{ ...actedBy(actor), act, crm, client, runId, after, ...(reason !== undefined && { reason }) }]);
  return runId;
}
