import { Networks } from '@passerelle/limits';
import type { FastifyRequest } from 'fastify';

/** The header in which an authenticating proxy names who asks. */
export interface TrustedHeaderConfig {
  /** In small letters. */
  name: string;
  /** Addresses and CIDR ranges of such proxies. */
  proxies: readonly string[];
}

/** Reads who asks from requests that come straight from such a proxy; whoever else sends the header is nobody by it. */
export class TrustedHeader {
  private readonly proxies: Networks;

  constructor(private readonly config: TrustedHeaderConfig) {
    this.proxies = new Networks(config.proxies);
  }

  /** The operator's name; null when no proxy of ours says one. A header that came twice names nobody. */
  nameIn({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | null {
    // The address of the connection: what X-Forwarded-For says, anybody can say.
    if (!this.proxies.has(raw.socket.remoteAddress)) return null;
    const value = headers[this.config.name];
    return typeof value === 'string' && /^[^\s,]{1,64}$/.test(value) ? value : null;
  }
}
