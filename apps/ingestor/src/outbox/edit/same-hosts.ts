import type { SourceConfig } from '@passerelle/connectors';
import { type GatewayEdit, isUrl } from '@passerelle/domain';

/** Settings with an address to which credentials are sent, such as `token-url`. */
const ADDRESS_SETTING = /(?:^|-)url$/;

/**
 * Whether stored credentials would be sent to a host that did not get them before. Operators of the console cannot read
 * stored credentials, so they must not be able to send them to a host of their own.
 */
export function sendsCredentialsElsewhere(stored: SourceConfig, edit: GatewayEdit): boolean {
  if (edit.credentials !== undefined || Object.keys(stored.credentials).length === 0) return false;
  const changes: [before: string | undefined, after: string][] = Object.entries(edit.settings ?? {})
    .filter(([name]) => ADDRESS_SETTING.test(name))
    .map(([name, after]) => [stored.settings[name], after]);
  if (edit.source !== undefined) changes.push([stored.url, edit.source]);
  return changes.some(([before, after]) => before === undefined || !isSameHost(before, after));
}

/** The same host and port, by a protocol that is not weaker. */
function isSameHost(before: string, after: string): boolean {
  if (!isUrl(before) || !isUrl(after)) return before === after;
  const [old, now] = [new URL(before), new URL(after)];
  return old.host === now.host && (old.protocol === now.protocol || now.protocol === 'https:');
}
