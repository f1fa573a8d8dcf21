/** Where a Redis is, as its clients want it. */
export interface RedisPlace {
  /** Null for one server; else where a client first asks for the nodes of a cluster. */
  nodes: { host: string; port: number }[] | null;
  /** Of one server: `redis://` or `rediss://`. */
  url: string;
  username: string;
  password: string;
  isTls: boolean;
}

/** Schemes of `REDIS_URL`. Those of a cluster take several hosts with commas between them, all on one port. */
export const REDIS_SCHEMES = ['redis', 'rediss', 'redis+cluster', 'rediss+cluster'] as const;

/** @param address as the setting `REDIS_URL` takes it. */
export function redisPlace(address: string): RedisPlace {
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
