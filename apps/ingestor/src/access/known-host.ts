import { isIP } from 'node:net';

/**
 * Whether a `Host` header can be that of the ops port.
 *
 * A page of another site can have its own name lead to an address inside (DNS rebinding), and a browser then sends that name.
 * It cannot do so with an address, with `localhost` or with a name without a dot, which the public DNS does not have.
 *
 * @param names further ones, in lower case
 */
export function isKnownHost(host: string | undefined, names: readonly string[]): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  if (name === '') return false;
  return isIP(name) === 4 || !name.includes('.') || name.endsWith('.localhost') || names.includes(name);
}
