import { BlockList, isIP } from 'node:net';

/** Addresses and networks in CIDR notation, to tell whether an address is in one of them. */
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

  /** Also of an IPv4 address that is written as one of IPv6. Of a connection that has ended nothing is known: false. */
  has(address: string | undefined): boolean {
    const plain = address?.replace(/%.*$/, '') ?? '';
    const version = isIP(plain);
    return version !== 0 && this.list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}
