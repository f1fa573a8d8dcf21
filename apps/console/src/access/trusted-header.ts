import { Networks } from '@passerelle/limits';
import type { FastifyRequest } from 'fastify';

/** The header in which an authenticating proxy names the operator. */
export interface TrustedHeaderConfig {
  /** In lower case. */
  name: string;
  proxies: readonly string[];
}

/** Reads the operator's name only from requests that come directly from a trusted proxy. */
export class TrustedHeader {
  private readonly proxies: Networks;

  constructor(private readonly config: TrustedHeaderConfig) {
    this.proxies = new Networks(config.proxies);
  }

  /** The operator's name; null without a name from a trusted proxy, or when the header is given twice. */
  nameIn({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | null {
    // Uses the address of the connection, because any client can send X-Forwarded-For.
    if (!this.proxies.has(raw.socket.remoteAddress)) return null;
    const value = headers[this.config.name];
    return typeof value === 'string' && /^[^\s,]{1,64}$/.test(value) ? value : null;
  }
}
