import type { Database, PauseScope } from '@passerelle/database';
import { type AuditValues, pausedReason, toPausedHost } from '@passerelle/domain';
import { Refused } from '../refused';
import { type ActedGateway, actedBy, type Actor } from './gateways';

/** The scope of a pause: one gateway; or a connector, a host of sources, or the sources of a connector on a host. */
export type PausedScope = { gateway: Omit<ActedGateway, 'enabled' | 'contractEnd'> } | { crm?: string; host?: string };

type Repositories = Pick<Database, 'pauses' | 'audit'>;

const LONGEST_REASON = 500;

/**
 * During a pause no run is planned or started; lists are still served. Replaces the terms of an existing pause.
 * @param terms sites see the reason; `until` is null for no end. @returns the number of gateways. @throws Refused
 */
export async function pause(
  { pauses, audit }: Repositories,
  actor: Actor,
  paused: PausedScope,
  { until, reason = null, now }: { until: Date | null; reason?: string | null; now: Date },
): Promise<number> {
  if (until !== null && until <= now) throw new Refused('the end of a pause must be in the future');
  if (reason !== null && reason.length > LONGEST_REASON) {
    throw new Refused(`a reason has at most ${LONGEST_REASON} characters`);
  }
  const scope = scopeOf(paused);
  const gateways = await pauses.set(scope, { until, reason, by: actor.name });
  if (gateways === 0) throw new Refused(`nothing is paused: there is no gateway of ${nameOf(paused)}`);
  await audit.record([
    {
      ...{ ...actedBy(actor), act: 'pause', ...subjectOf(paused) },
      after: { ...hostOf(scope), until: until?.toISOString() ?? null, gateways },
      ...(reason !== null && { reason }),
    },
  ]);
  return gateways;
}

/** Gateways without another pause run immediately. @throws Refused, with any other pause of the gateway. */
export async function resume(
  { pauses, audit }: Repositories,
  actor: Actor,
  paused: PausedScope,
  reason?: string,
): Promise<{ resumed: number; stillPaused: number }> {
  const scope = scopeOf(paused);
  const ended = await pauses.end(scope);
  if (ended === null) {
    const other = 'gateway' in paused ? pausedReason(paused.gateway.paused) : null;
    throw new Refused(`${nameOf(paused)} ${other === null ? 'is not paused' : `itself is not paused: ${other}`}`);
  }
  await audit.record([
    {
      ...{ ...actedBy(actor), act: 'resume', ...subjectOf(paused) },
      after: { ...hostOf(scope), gateways: ended.resumed },
      ...(reason !== undefined && { reason }),
    },
  ]);
  return ended;
}

/** @throws Refused for an invalid host, and for an empty scope. */
function scopeOf(paused: PausedScope): PauseScope {
  if ('gateway' in paused) return { gatewayId: paused.gateway.id, crm: null, host: null };
  const { crm = null, host: text } = paused;
  const host = text === undefined ? null : toPausedHost(text);
  if (text !== undefined && host === null) {
    throw new Refused(`"${text.slice(0, 100)}" is not a host: give only its name, such as feeds.example.org`);
  }
  if (crm === null && host === null) throw new Refused('a connector, a host or a gateway is missing');
  return { gatewayId: null, crm, host };
}

function nameOf(paused: PausedScope): string {
  if ('gateway' in paused) return `${paused.gateway.crm}/${paused.gateway.client}`;
  return [paused.crm, paused.host].filter((name) => name !== undefined).join(' on ');
}

function subjectOf(paused: PausedScope): { crm?: string; client?: string } {
  if ('gateway' in paused) return { crm: paused.gateway.crm, client: paused.gateway.client };
  return paused.crm === undefined ? {} : { crm: paused.crm };
}

function hostOf({ host }: PauseScope): AuditValues {
  return host === null ? {} : { host };
}
