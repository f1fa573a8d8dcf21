import type { GatewayDetails } from '@passerelle/database';
import { type AuditValues, maskSettings, maskUrl } from '@passerelle/domain';

/** What of a gateway may stand in the audit: its source without its secrets, and whether there are credentials. */
export function auditedValues(gateway: GatewayDetails): AuditValues {
  const { sourceUrl, settings, hasCredentials, everySeconds, contractEnd } = gateway;
  return {
    source: maskUrl(sourceUrl),
    settings: JSON.stringify(maskSettings(settings)),
    credentials: hasCredentials ? 'set' : 'none',
    every_seconds: everySeconds,
    contract_end: contractEnd,
  };
}

/** What differs, before and after. `replaced` names values that were given anew and cannot be shown. */
export function auditedDifference(
  before: AuditValues,
  after: AuditValues,
  replaced: readonly string[] = [],
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
