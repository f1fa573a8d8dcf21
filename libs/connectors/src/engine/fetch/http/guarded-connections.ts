import { isIP } from 'node:net';
import { isPublicAddress, lookupPublicAddress, PrivateAddress } from '../address-guard';
import { type ConnectionOptions, SourceConnections } from './source-connections';

/** Connections to public addresses and to allowed private ones. Must be closed. */
export class GuardedConnections {
  private readonly guarded: SourceConnections;
  private readonly unguarded: SourceConnections;

  constructor(
    private readonly allowPrivate: ReadonlySet<string>,
    options: ConnectionOptions = {},
  ) {
    this.guarded = new SourceConnections({ ...options, lookup: lookupPublicAddress });
    this.unguarded = new SourceConnections(options);
  }

  /** @throws PrivateAddress when the address is written as a number and is not public; names are checked on resolving. */
  for(url: URL): SourceConnections {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80';
    if (this.allowPrivate.has(`${host}:${port}`) || this.allowPrivate.has(`${url.hostname}:${port}`)) {
      return this.unguarded;
    }
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress(`${host} is not public`);
    return this.guarded;
  }

  close(): void {
    this.guarded.close();
    this.unguarded.close();
  }
}
