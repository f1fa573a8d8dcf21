import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { RemoteAddresses } from './connections';

/** Reads headers of trusted proxies, with the same function as Fastify. */
export class Proxies {
  readonly trusts: ((address: string, hop: number) => boolean) | false;
  readonly remote = new RemoteAddresses();

  /** @param networks addresses and networks in CIDR notation whose `X-Forwarded-…` headers count */
  constructor(networks: readonly string[]) {
    this.trusts = networks.length > 0 && proxyAddress.compile([...networks]);
  }

  /** The address of the client. Fastify's `request.ip` is undefined when the client has reset its connection. */
  addressOf(request: IncomingMessage): string {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return this.remote.of(request.socket);
    return this.trusts === false ? remoteAddress : proxyAddress(request, this.trusts);
  }

  isSecure({ headers, socket }: IncomingMessage): boolean {
    const forwarded = headers['x-forwarded-proto'];
    if (this.trusts === false || typeof forwarded !== 'string' || forwarded === '') return isEncrypted(socket);
    if (!this.trusts(socket.remoteAddress ?? '', 0)) return isEncrypted(socket);
    // If there are several values, the nearest proxy added the last value.
    return (
      forwarded
        .slice(forwarded.lastIndexOf(',') + 1)
        .trim()
        .toLowerCase() === 'https'
    );
  }
}

function isEncrypted(socket: object): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}
