import { BlockList, isIP } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The name of an IPv4 address, or of 64 bits of IPv6. Closed connections share one name, invalid addresses another. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || address === '') return 'gone';
  const plain = MAPPED.exec(address)?.[1] ?? address;
  const version = isIP(plain);
  if (version === 4) return plain;
  if (version === 0) return 'no address';
  const [unzoned = ''] = plain.split('%', 1);
  const [head = '', tail] = unzoned.split('::');
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

/** 24 bits of IPv4, 64 of IPv6, because providers often change an address within this network. Null for other texts. */
export function subnetOf(address: string | undefined): string | null {
  const network = networkOf(address);
  if (isIP(network) === 4) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
  return network.includes(':') ? `${network}::/64` : null;
}

/** The last two groups may be written as an IPv4 address. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

export class Networks {
  private readonly list = new BlockList();

  /** @param networks `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32` */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const [family, most] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
      this.list.addSubnet(address, bits === undefined ? most : Number(bits), family);
    }
  }

  /** Also finds an IPv4 address written as IPv6. False for a closed connection, whose address is unknown. */
  has(address: string | undefined): boolean {
    const plain = address?.split('%', 1)[0] ?? '';
    const version = isIP(plain);
    return version !== 0 && this.list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}
