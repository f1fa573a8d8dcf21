export interface RedisLocation {
  /** Null for one server; otherwise nodes from which a client discovers the cluster. */
  nodes: { host: string; port: number }[] | null;
  /** The address of one server: `redis://` or `rediss://`. */
  url: string;
  username: string;
  password: string;
  isTls: boolean;
}

/** The schemes of `REDIS_URL`. A cluster's address may have several hosts, separated by commas, all on one port. */
export const REDIS_SCHEMES = ['redis', 'rediss', 'redis+cluster', 'rediss+cluster'] as const;

/** @param address the value of `REDIS_URL`. */
export function redisLocation(address: string): RedisLocation {
  const { protocol, hostname, port, username, password } = new URL(address);
  const place = {
    url: address,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    isTls: protocol.startsWith('rediss'),
  };
  if (!protocol.includes('+cluster')) return { ...place, nodes: null };
  const hosts = hostname.split(',').filter((host) => host !== '');
  const ofAll = Number(port === '' ? 6379 : port);
  return { ...place, nodes: hosts.map((host) => ({ host: host.replace(/^\[|\]$/g, ''), port: ofAll })) };
}
