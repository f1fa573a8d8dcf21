import type { Database, PauseScope } from '@passerelle/database';
import { type AuditValues, pausedReason, toPausedHost } from '@passerelle/domain';
import { Refused } from '../refused';
import type { ActedGateway, Actor } from './gateways';

/** What is paused: one gateway; or a connector, a host of sources, or the sources of a connector on a host. */
export type PausedPart = { gateway: Omit<ActedGateway, 'enabled' | 'contractEnd'> } | { crm?: string; host?: string };

type Parts = Pick<Database, 'pauses' | 'audit'>;

const LONGEST_REASON = 500;

/**
 * Lets the sources of gateways be, until a time or until somebody resumes them: nothing is planned, and what waits does not start.
 * Their lists go on being served. What is paused already gets the new end and the new reason.
 *
 * @param terms the reason is told to sites; `until` is null for no end.
 * @returns how many gateways it concerns.
 * @throws Refused for an end that is over, a reason that is too long, or a part without a gateway.
 */
export async function pause(
  { pauses, audit }: Parts,
  { name, through }: Actor,
  part: PausedPart,
  { until, reason = null, now }: { until: Date | null; reason?: string | null; now: Date },
): Promise<number> {
  if (until !== null && until <= now) throw new Refused('a pause ends at a time to come');
  if (reason !== null && reason.length > LONGEST_REASON) {
    throw new Refused(`a reason has at most ${LONGEST_REASON} characters`);
  }
  const scope = scopeOf(part);
  const gateways = await pauses.set(scope, { until, reason, by: name });
  if (gateways === 0) throw new Refused(`nothing is paused: there is no gateway of ${nameOf(part)}`);
  await audit.record([
    {
      ...{ who: name, through, act: 'pause', ...subjectOf(part) },
      after: { ...hostOf(scope), until: until?.toISOString() ?? null, gateways },
      ...(reason !== null && { reason }),
    },
  ]);
  return gateways;
}

/**
 * Ends a pause: the gateways that no other pause concerns run at once.
 *
 * @returns how many these are, and how many are paused still.
 * @throws Refused for what is not paused, saying what pauses it instead.
 */
export async function resume(
  { pauses, audit }: Parts,
  { name, through }: Actor,
  part: PausedPart,
  reason?: string,
): Promise<{ resumed: number; stillPaused: number }> {
  const scope = scopeOf(part);
  const ended = await pauses.end(scope);
  if (ended === null) {
    const other = 'gateway' in part ? pausedReason(part.gateway.paused) : null;
    throw new Refused(`${nameOf(part)} is not paused${other === null ? '' : ` by itself: ${other}`}`);
  }
  await audit.record([
    {
      ...{ who: name, through, act: 'resume', ...subjectOf(part) },
      after: { ...hostOf(scope), gateways: ended.resumed },
      ...(reason !== undefined && { reason }),
    },
  ]);
  return ended;
}

/** @throws Refused for a host that can be none, and for nothing at all. */
function scopeOf(part: PausedPart): PauseScope {
  if ('gateway' in part) return { gatewayId: part.gateway.id, crm: null, host: null };
  const { crm = null, host: text } = part;
  const host = text === undefined ? null : toPausedHost(text);
  if (text !== undefined && host === null) {
    throw new Refused(`"${text.slice(0, 100)}" is no host: its name alone, as feeds.example.org`);
  }
  if (crm === null && host === null) throw new Refused('a connector, a host or a gateway is missing');
  return { gatewayId: null, crm, host };
}

function nameOf(part: PausedPart): string {
  if ('gateway' in part) return `${part.gateway.crm}/${part.gateway.client}`;
  return [part.crm, part.host].filter((name) => name !== undefined).join(' on ');
}

function subjectOf(part: PausedPart): { crm?: string; client?: string } {
  if ('gateway' in part) return { crm: part.gateway.crm, client: part.gateway.client };
  return part.crm === undefined ? {} : { crm: part.crm };
}

function hostOf({ host }: PauseScope): AuditValues {
  return host === null ? {} : { host };
}
