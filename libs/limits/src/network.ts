import { isIP } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What limits count an address by. An IPv6 client has a whole network of addresses, 64 bits wide; one of IPv4 has its address,
 * also where it is written as one of IPv6. A connection that has ended has no address any more: all of those are one. A proxy
 * may hand on a text of any length that is no address: those are one, too.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || address === '') return 'gone';
  const plain = MAPPED.exec(address)?.[1] ?? address;
  const version = isIP(plain);
  if (version === 4) return plain;
  if (version === 0) return 'no address';
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = groupsOf(tail);
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}

/** Two groups may be written as an IPv4 address. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
