import type { Database, GatewayChange, GatewayDetails } from '@passerelle/database';
import { type AuditValues, maskSettings, maskUrl, type SecretBox } from '@passerelle/domain';
import { Refused } from '../refused';
import { type ActedGateway, actedBy, type Actor } from './gateways';

/**
 * Changes a gateway, makes it due immediately, and records what differs.
 * @param box required when the source is sealed
 * @throws Refused for an unknown gateway; SourceSealed
 */
export async function changeGateway(
  { gateways, audit }: Pick<Database, 'gateways' | 'audit'>,
  actor: Actor,
  { crm, client }: { crm: string; client: string },
  change: GatewayChange,
  box: SecretBox | null,
  reason?: string,
): Promise<void> {
  const before = await gateways.find(crm, client);
  if (before === null) throw new Refused(`there is no gateway ${crm}/${client}`);
  await gateways.change(before.id, change, box);
  const after = await gateways.find(crm, client);
  if (after === null) throw new Refused(`there is no gateway ${crm}/${client}`);
  const replaced = change.credentials instanceof Buffer ? ['credentials'] : [];
  const difference = auditedDifference(auditedValues(before), auditedValues(after), replaced);
  const why = reason === undefined ? {} : { reason };
  await audit.record([{ ...actedBy(actor), act: 'gateway set', crm, client, ...difference, ...why }]);
}

/** The values of a gateway that the audit may hold: its source without secrets, and whether it has credentials. */
function auditedValues(gateway: GatewayDetails): AuditValues {
  const { sourceUrl, settings, hasCredentials, everySeconds, contractEnd } = gateway;
  return {
    source: maskUrl(sourceUrl),
    settings: JSON.stringify(maskSettings(settings)),
    credentials: hasCredentials ? 'set' : 'none',
    every_seconds: everySeconds,
    contract_end: contractEnd,
  };
}

/** The changed values, old and new. `replaced` names changed values that are secret. */
function auditedDifference(
  before: AuditValues,
  after: AuditValues,
  replaced: readonly string[],
): { before: AuditValues; after: AuditValues } {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  return {
    before: Object.fromEntries(names.map((name) => [name, before[name] ?? null])),
    after: {
      ...Object.fromEntries(names.map((name) => [name, after[name] ?? null])),
      ...Object.fromEntries(replaced.map((name) => [name, 'replaced'])),
    },
  };
}

export interface Removal {
  listings: number | null;
  keys: number;
  withLeads: boolean;
  leaveAdverts: boolean;
  reason?: string;
}

/** Removes a gateway permanently. @throws Refused while leads wait or portals show its adverts, unless the wish says so */
export async function removeGateway(
  { gateways, placements, audit }: Pick<Database, 'gateways' | 'placements' | 'audit'>,
  actor: Actor,
  { id, crm, client }: Pick<ActedGateway, 'id' | 'crm' | 'client'>,
  { listings, keys, withLeads, leaveAdverts, reason }: Removal,
): Promise<void> {
  const live = leaveAdverts ? [] : await placements.live(id);
  if (live.length > 0) {
    const named = live.map(({ target, count }) => `${count} ${count === 1 ? 'advert' : 'adverts'} at ${target}`);
    throw new Refused(
      `${crm}/${client} is not removed: portals show ${named.join(', ')}. "placement remove" takes them offline; --leave-adverts leaves them`,
    );
  }
  const waiting = await gateways.remove(id, { withLeads });
  if (waiting > 0) {
    const leads = waiting === 1 ? '1 lead' : `${waiting} leads`;
    throw new Refused(
      `${crm}/${client} is not removed: ${leads} of visitors would be lost. The console shows why they wait; --with-leads removes them, too`,
    );
  }
  const why = reason === undefined ? {} : { reason };
  await audit.record([{ ...actedBy(actor), act: 'gateway remove', crm, client, before: { listings, keys }, ...why }]);
}
